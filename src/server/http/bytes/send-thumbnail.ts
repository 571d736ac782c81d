import type { FastifyReply, FastifyRequest } from 'fastify'
import { THUMBNAIL_SIZES } from '#contract/limits.ts'
import type { Parts } from '#server/http/parts.ts'
import { redirectToFile } from './redirect-to-file.ts'
import { sendBytes } from './send-bytes.ts'

/** Sends a thumbnail of an image or a video, or redirects to its store. */
export async function sendThumbnail(
  { thumbnails, links }: Pick<Parts, 'thumbnails' | 'links'>,
  request: FastifyRequest,
  reply: FastifyReply,
  name: string,
  {
    sizePx = THUMBNAIL_SIZES[0],
    poster,
  }: {
    sizePx?: number | undefined
    /** The version of the poster of a video, and the one that the request expects. */
    poster?: { version: string; expected: string | undefined }
  },
) {
  // An image never gets other bytes, so its name serves as ETag and saves the query for the content hash.
  const etag = poster ? `${name}-${poster.version}-${sizePx}` : `${name}-${sizePx}`
  const isRevalidated = poster !== undefined && poster.expected !== poster.version
  const linkTo = async () => links?.thumbnail(name, sizePx, poster?.version) ?? null
  if (links && !isRevalidated && (await redirectToFile(request, reply, etag, linkTo))) return reply
  const webp = await thumbnails.get(name, sizePx)
  return sendBytes(request, reply, {
    bytes: webp.length,
    read: async (range) => (range ? webp.subarray(range.start, range.end + 1) : webp),
    mediaType: 'image/webp',
    etag,
    isRevalidated,
  })
}
