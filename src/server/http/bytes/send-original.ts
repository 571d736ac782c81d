import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Parts } from '#server/http/parts.ts'
import { contentDisposition } from './content-disposition.ts'
import { redirectToFile } from './redirect-to-file.ts'
import { sendBytes } from './send-bytes.ts'

/** A stored file, as its record describes it. */
interface Original {
  name: string
  file_name: string | null
  file_size: number | null
  media_type: string | null
  content_hash: string | null
}

/** Sends the file of an image or a video, or redirects to its store. */
export async function sendOriginal(
  { originals, files, links }: Pick<Parts, 'originals' | 'files' | 'links'>,
  request: FastifyRequest,
  reply: FastifyReply,
  { name, file_name, file_size, media_type, content_hash }: Original,
  options: { isDownload?: boolean | undefined; hasOneRangeOnly?: boolean } = {},
) {
  const { bytes } = await originals.assertWhole({ image_name: name, file_size, content_hash })
  const etag = content_hash ?? name
  const answer = {
    mediaType: media_type ?? 'application/octet-stream',
    contentDisposition: options.isDownload
      ? contentDisposition('attachment', file_name ?? name)
      : contentDisposition('inline', name),
  }
  const linkTo = async () => links?.original(name, answer) ?? null
  if (links && (await redirectToFile(request, reply, etag, linkTo))) return reply
  return sendBytes(request, reply, {
    ...answer,
    etag,
    bytes,
    hasOneRangeOnly: options.hasOneRangeOnly,
    read: async (range) =>
      range ? files.readPart(name, range) : ((await files.read(name))?.content ?? null),
  })
}
