import { randomUUID } from 'node:crypto'
import { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import {
  type _Object,
  CopyObjectCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3'
import { backoffMs } from '#contract/backoff.ts'
import type { ByteRange, FileDates, StoredFile } from '#server/core/intake/file-ports.ts'
import { Refusal } from '#server/core/refusal.ts'
import type { FilesUrl } from './files-url.ts'
import { putFile, type SourceFile, uploadInParts } from './put-file.ts'
import { createS3Clients, endIfStalled, type S3Clients, type S3Counts } from './s3-client.ts'
import { isCutOff, isTaken, nullIfMissing, s3Refusal, startReason } from './s3-failure.ts'

/** Keys per `DeleteObjects`, the limit of S3. */
const KEYS_PER_DELETION = 1_000

/** Time without any progress after which a request fails. */
const IDLE_MS = 10_000

/** Pauses between the attempts of a read whose connection was closed. */
const readBackoff = { firstMs: 50, longestMs: 1_000 }

export interface BucketOptions {
  /** Called with the cause of each refusal. */
  onFailure?: ((error: unknown) => void) | undefined
  idleMs?: number | undefined
}

/**
 * The bucket of a library. A method whose request fails, after a few repetitions, throws a refusal: `disk_full`, or
 * `disk_error` for everything else.
 */
export class Bucket {
  readonly prefix: string
  readonly #name: string
  readonly #url: FilesUrl
  readonly #clients: S3Clients
  readonly #onFailure: (error: unknown) => void
  readonly #idleMs: number

  constructor(url: FilesUrl, { onFailure = () => {}, idleMs = IDLE_MS }: BucketOptions = {}) {
    this.prefix = url.prefix
    this.#name = url.bucket
    this.#url = url
    this.#clients = createS3Clients(url, idleMs)
    this.#onFailure = onFailure
    this.#idleMs = idleMs
  }

  /** Tries to write, read and delete. @throws {FilesStoreError} */
  async probe(): Promise<void> {
    const { client, downloads } = this.#clients
    const object = this.#object(`${this.prefix}probe-${randomUUID()}`)
    try {
      await client.send(new PutObjectCommand({ ...object, Body: 'Tessera' }))
      const { Body } = await downloads.send(new GetObjectCommand(object))
      await Body?.transformToByteArray()
      await client.send(new DeleteObjectCommand(object))
    } catch (error) {
      throw startReason(error, this.#url)
    }
  }

  /** Asks the bucket for one key. HEAD would not say why it fails. @throws {FilesStoreError} */
  async assertReachable(): Promise<void> {
    const command = new ListObjectsV2Command({
      Bucket: this.#name,
      Prefix: this.prefix,
      MaxKeys: 1,
    })
    try {
      await this.#clients.client.send(command)
    } catch (error) {
      throw startReason(error, this.#url)
    }
  }

  /** For links to objects of this bucket. */
  get signer(): { client: S3Client; name: string } {
    return { client: this.#clients.signer, name: this.#name }
  }

  get counts(): S3Counts {
    return this.#clients.counts
  }

  close(): void {
    this.#clients.client.destroy()
    this.#clients.downloads.destroy()
    this.#clients.signer.destroy()
  }

  async head(key: string): Promise<FileDates | null> {
    return this.#read(() => this.#head(key))
  }

  async #head(key: string): Promise<FileDates | null> {
    const command = new HeadObjectCommand(this.#object(key))
    const found = await this.#clients.client.send(command).catch(nullIfMissing)
    if (found === null) return null
    const modifiedAt = found.LastModified?.getTime() ?? 0
    const { sha256 } = found.Metadata ?? {}
    return {
      ...{ bytes: found.ContentLength ?? 0, modifiedAt, changedAt: modifiedAt },
      ...(sha256 !== undefined && { contentHash: sha256 }),
    }
  }

  /** Opens an object. Its content fails if the object arrives incompletely or not at all. */
  async get(key: string, range?: ByteRange): Promise<StoredFile | null> {
    const command = new GetObjectCommand({
      ...this.#object(key),
      ...(range && { Range: `bytes=${range.start}-${range.end}` }),
    })
    const found = await this.#read(() => this.#clients.downloads.send(command).catch(nullIfMissing))
    if (found === null) return null
    const { Body: content, ContentRange, ContentLength = 0, LastModified } = found
    if (!(content instanceof IncomingMessage)) throw new Error(`${key} has no content`)
    endIfStalled(content, this.#idleMs)
    const bytes = Number(ContentRange?.split('/')[1] ?? ContentLength)
    return { bytes, modifiedAt: LastModified?.getTime() ?? 0, content }
  }

  /**
   * Reads a whole object with `use`, again from its start if the connection is closed meanwhile. Returns null if the
   * object is missing.
   */
  async getWhole<T>(key: string, use: (content: Readable) => Promise<T>): Promise<T | null> {
    return this.#read(async () => {
      const file = await this.get(key)
      return file && use(file.content)
    })
  }

  async put(key: string, bytes: Uint8Array, contentType: string): Promise<void> {
    const object = { ...this.#object(key), Body: bytes, ContentType: contentType }
    await this.#try(this.#clients.client.send(new PutObjectCommand(object)))
  }

  /** Stores a stream of unknown length in parts. The object appears as a whole or not at all. */
  async putStream(key: string, content: Readable, contentType: string, signal: AbortSignal) {
    const object = { ...this.#object(key), Body: content, ContentType: contentType }
    await this.#try(uploadInParts(this.#clients.client, object, signal)).finally(() =>
      content.destroy(),
    )
  }

  /**
   * Stores a file with its SHA-256, which S3 checks. Never replaces an object: if there is one with the same bytes, an
   * earlier attempt stored it.
   *
   * @throws {Refusal} Also `disk_error` if the key has other bytes.
   */
  async putNew(key: string, file: SourceFile, signal: AbortSignal): Promise<void> {
    const storing = putFile(this.#clients.client, this.#object(key), file, signal)
    await this.#try(
      storing.catch(async (error: unknown) => {
        if (!isTaken(error)) throw error
        const found = await this.#head(key)
        if (found?.contentHash !== file.contentHash || found.bytes !== file.bytes) throw error
      }),
    )
  }

  /** Copies an object within the bucket, with its metadata. Returns false if it is missing. */
  async copy(from: string, to: string): Promise<boolean> {
    // Names and prefixes have only characters that need no encoding.
    const command = new CopyObjectCommand({
      ...this.#object(to),
      CopySource: `${this.#name}/${from}`,
    })
    return (await this.#try(this.#clients.client.send(command).catch(nullIfMissing))) !== null
  }

  /** Deletes objects. Missing ones are ignored. */
  async remove(keys: readonly string[]): Promise<void> {
    for (let at = 0; at < keys.length; at += KEYS_PER_DELETION) {
      const objects = keys.slice(at, at + KEYS_PER_DELETION).map((Key) => ({ Key }))
      const command = new DeleteObjectsCommand({
        Bucket: this.#name,
        Delete: { Objects: objects, Quiet: true },
      })
      const { Errors: [failed] = [] } = await this.#try(this.#clients.client.send(command))
      if (failed === undefined) continue
      const error = Object.assign(new Error(failed.Message), { name: failed.Code ?? 'Error' })
      throw this.#refusalOf(error)
    }
  }

  /** Yields the keys that begin with `start`, by page. */
  async *list(start: string): AsyncGenerator<string[]> {
    for await (const objects of this.#pages(start)) yield objects.flatMap(({ Key }) => Key ?? [])
  }

  /** Yields the keys that begin with `start` and were stored before a time, in milliseconds since 1970. */
  async *listOlderThan(start: string, before: number): AsyncGenerator<string[]> {
    const isOld = ({ LastModified }: _Object) => (LastModified?.getTime() ?? before) < before
    for await (const objects of this.#pages(start))
      yield objects.filter(isOld).flatMap(({ Key }) => Key ?? [])
  }

  async *#pages(start: string): AsyncGenerator<_Object[]> {
    const place = { Bucket: this.#name, Prefix: start }
    let next: string | undefined
    do {
      const command = new ListObjectsV2Command({ ...place, ContinuationToken: next })
      const page = await this.#read(() => this.#clients.client.send(command))
      yield page.Contents ?? []
      next = page.NextContinuationToken
    } while (next !== undefined)
  }

  #object(key: string): { Bucket: string; Key: string } {
    return { Bucket: this.#name, Key: key }
  }

  /**
   * Sends a read again while its connection is closed, for as long as a silent store is waited for. The S3 client has
   * few repetitions for all requests together, and stops repeating when many connections are closed.
   */
  async #read<T>(read: () => Promise<T>): Promise<T> {
    const endsAt = performance.now() + this.#idleMs
    for (let failures = 0; ; failures++) {
      try {
        return await read()
      } catch (error) {
        const waitMs = backoffMs(readBackoff, failures, Math.random())
        if (!isCutOff(error) || performance.now() + waitMs > endsAt) {
          throw this.#refusalOf(error, { isRead: true })
        }
        await delay(waitMs)
      }
    }
  }

  async #try<T>(work: Promise<T>): Promise<T> {
    try {
      return await work
    } catch (error) {
      throw this.#refusalOf(error)
    }
  }

  #refusalOf(error: unknown, kind?: { isRead: boolean }): Refusal {
    if (!(error instanceof Refusal)) this.#onFailure(error)
    return s3Refusal(error, kind)
  }
}
