import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { PutObjectCommand, type PutObjectCommandInput, type S3Client } from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'

/** Larger files are sent in parts of this size. A part is in memory, so that it can be sent again. */
export const PART_BYTES = 8 * 1024 * 1024

/** The limit of S3. */
const MAX_PARTS = 10_000

/** Parts of one file that are sent at the same time. */
const PARTS_AT_ONCE = 2

/** A file on the local disk. */
export interface SourceFile {
  path: string
  bytes: number
  /** SHA-256, hexadecimal. */
  contentHash: string
  contentType: string
  /** The bytes, if they have been read. Default: they are read from the path. */
  content?: Uint8Array
}

/**
 * Stores a file under a key that has no object yet (409 or 412 otherwise). S3 refuses bytes with another SHA-256. A
 * large file appears as a whole or not at all.
 */
export const putFile = async (
  client: S3Client,
  object: { Bucket: string; Key: string },
  { path, bytes, contentHash, contentType, content }: SourceFile,
  signal: AbortSignal,
): Promise<void> => {
  const params = {
    ...object,
    ContentType: contentType,
    IfNoneMatch: '*',
    // `head` returns it. S3 keeps no SHA-256 of the whole object if it came in parts.
    Metadata: { sha256: contentHash },
  }
  if (bytes <= PART_BYTES) {
    const ChecksumSHA256 = Buffer.from(contentHash, 'hex').toString('base64')
    const Body = content ?? (await readFile(path))
    const command = new PutObjectCommand({ ...params, Body, ChecksumSHA256 })
    await client.send(command, { abortSignal: signal })
    return
  }
  const Body = Readable.from(verified(path, contentHash), { objectMode: false })
  const partBytes = Math.max(PART_BYTES, Math.ceil(bytes / MAX_PARTS))
  await uploadInParts(client, { ...params, Body, ChecksumAlgorithm: 'SHA256' }, signal, partBytes)
}

/** Sends a body in parts. S3 joins them when all have arrived, and drops them after a failure. */
export const uploadInParts = async (
  client: S3Client,
  params: PutObjectCommandInput,
  signal: AbortSignal,
  partSize = PART_BYTES,
): Promise<void> => {
  signal.throwIfAborted()
  const abortController = new AbortController()
  signal.addEventListener('abort', () => abortController.abort(), { once: true })
  const upload = new Upload({ client, params, partSize, queueSize: PARTS_AT_ONCE, abortController })
  await upload.done()
}

/** Reads a file. Throws at its end if it has another SHA-256, before the last part is sent. */
async function* verified(path: string, contentHash: string): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 })) {
    hash.update(chunk)
    yield chunk
  }
  if (hash.digest('hex') !== contentHash) throw new Error(`${path} changed after it was received`)
}
