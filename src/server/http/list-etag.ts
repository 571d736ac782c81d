import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Operation } from '#contract/operation.ts'

/** Tags of operations whose answers can change without a change of a record. */
const TAGS_WITHOUT_RECORDS: readonly string[] = [
  'app',
  'changes',
  'queue',
  'models',
  'imports',
  'searches',
  'duplicates',
]

/** True if the answer depends on records only, so that their revision can be its ETag. */
export const isRevisioned = ({ method, mediaType, tag }: Operation): boolean =>
  method === 'GET' && mediaType === undefined && !TAGS_WITHOUT_RECORDS.includes(tag)

/** Compares the tags of `If-None-Match` with an ETag, strong or weak (RFC 9110, section 13.1.2). */
export const namesTag = (header: string | undefined, etag: string): boolean =>
  header?.split(',').some((tag) => ['*', withoutWeak(etag)].includes(withoutWeak(tag))) ?? false

const withoutWeak = (tag: string): string => tag.trim().replace(/^W\//, '')

/**
 * Sets the revision of the records as the ETag, before any query runs.
 *
 * @returns True if the client already has this revision and the route can answer 304.
 */
export function isUnchanged(
  revision: string,
  request: FastifyRequest,
  reply: FastifyReply,
): boolean {
  // Weak, because the same answer can be compressed with different encodings.
  const etag = `W/"${revision}"`
  reply.headers({ etag, 'cache-control': 'private, no-cache' })
  return namesTag(request.headers['if-none-match'], etag)
}
