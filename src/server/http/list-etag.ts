import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Operation } from '#contract/operation.ts'

/** Operations whose answers change while no record of the library does. */
const TAGS_WITHOUT_RECORDS: readonly string[] = ['app', 'queue', 'models', 'imports']

/** Whether an answer depends on records alone, so that their revision tells if it is still the same. */
export const isRevisioned = ({ method, mediaType, tag }: Operation): boolean =>
  method === 'GET' && mediaType === undefined && !TAGS_WITHOUT_RECORDS.includes(tag)

const namesTag = (header: string | undefined, etag: string): boolean =>
  header?.split(',').some((tag) => ['*', etag].includes(tag.trim())) ?? false

/**
 * Tags an answer with the revision of the records, before any query is made.
 *
 * @returns True when the client has that revision: 304 is all it needs.
 */
export function isUnchanged(
  revision: string,
  request: FastifyRequest,
  reply: FastifyReply,
): boolean {
  // Weak, as the same answer may be compressed in several ways.
  const etag = `W/"${revision}"`
  reply.headers({ etag, 'cache-control': 'private, no-cache' })
  return namesTag(request.headers['if-none-match'], etag)
}
