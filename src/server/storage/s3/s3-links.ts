import { GetObjectCommand, type GetObjectCommandInput, type S3Client } from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import type { FileLinks } from '#server/core/intake/file-ports.ts'
import type { Bucket } from './bucket.ts'
import { objectKey } from './object-key.ts'

/** A link is valid for this time after its signature. */
const VALID_S = 600

/** Links signed within this time are equal, so that browsers can cache their files. */
const SIGNED_EVERY_MS = 300_000

/**
 * Creates links to the objects of a bucket, for browsers that can reach it. The signature fixes the media type and the
 * file name of the answer, so that no object can be opened as a web page.
 */
export const openS3Links = async (
  bucket: Bucket,
  { client, name }: { client: S3Client; name: string },
): Promise<FileLinks> => {
  const sign = (Key: string, answer: Partial<GetObjectCommandInput>): Promise<string> =>
    getSignedUrl(client, new GetObjectCommand({ Bucket: name, Key, ...answer }), {
      expiresIn: VALID_S,
      signingDate: new Date(Math.floor(Date.now() / SIGNED_EVERY_MS) * SIGNED_EVERY_MS),
    })
  const { origin } = new URL(await sign('any', {}))

  return {
    origin,
    original: (imageName, { mediaType, contentDisposition }) =>
      sign(objectKey(bucket.prefix, 'images', imageName), {
        ResponseContentType: mediaType,
        ResponseContentDisposition: contentDisposition,
        ResponseCacheControl: 'private, max-age=31536000, immutable',
      }),
    thumbnail: async (imageName, sizePx, version) => {
      const key = objectKey(bucket.prefix, `thumbnails/${sizePx}`, imageName)
      if ((await bucket.head(key)) === null) return null
      return sign(key, {
        ResponseContentType: 'image/webp',
        ...(version && { ResponseContentDisposition: `inline; filename="${version}.webp"` }),
        ResponseCacheControl: 'private, max-age=31536000, immutable',
      })
    },
  }
}
