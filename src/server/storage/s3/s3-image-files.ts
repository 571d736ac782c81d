import { createHash, randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import pLimit from 'p-limit'
import { mediaTypeOfName } from '#contract/media-types.ts'
import type { ImageFiles, PendingFiles, StagedFile } from '#server/core/intake/file-ports.ts'
import { orRefuse, Refusal } from '#server/core/refusal.ts'
import { imageFolder, imageFolders, imageNameAtEnd } from '#server/storage/disk/image-path.ts'
import { openIncomingFolder } from '#server/storage/disk/incoming-folder.ts'
import { ignoreMissing, writeFailure } from '#server/storage/disk/system-errors.ts'
import { hashFile } from '#server/storage/disk/whole-file.ts'
import type { Bucket } from './bucket.ts'
import { listByFolder } from './list-by-folder.ts'
import { objectKey } from './object-key.ts'
import { s3Refusal } from './s3-failure.ts'

/** Files stored at the same time. Each takes up to 16 MiB of memory. */
const UPLOADS_AT_ONCE = 6

/** The sweeper treats pending files as lost after an hour. An upload must fail long before. */
const MAX_KEEP_MS = 20 * 60_000

/** A staged copy of a stored image: the store copies it when it is kept. There is no file at its path. */
class StagedCopy implements StagedFile {
  readonly path: string
  readonly copyOf: string

  constructor(folder: string, copyOf: string) {
    this.path = join(folder, randomUUID())
    this.copyOf = copyOf
  }
}

/**
 * Opens originals in a bucket: `images/<two digits>/<name>`, and files without a record in `set-aside/`. New files are
 * staged in the data folder and uploaded when they get their names.
 *
 * @param options - `pending`: learns each name before its object is stored.
 */
export const openS3ImageFiles = async (
  bucket: Bucket,
  { dataFolder, pending }: { dataFolder: string; pending?: PendingFiles | undefined },
): Promise<ImageFiles> => {
  const { folder: incomingFolder, ...incoming } = await openIncomingFolder(dataFolder)
  const keyOf = (imageName: string) => objectKey(bucket.prefix, 'images', imageName)
  const setAsideStart = `${bucket.prefix}set-aside/`
  const uploads = pLimit(UPLOADS_AT_ONCE)

  const store = async (staged: StagedFile, imageName: string, signal: AbortSignal) => {
    if (staged instanceof StagedCopy) {
      if (await bucket.copy(keyOf(staged.copyOf), keyOf(imageName))) return
      throw new Refusal('image_not_found')
    }
    const { path, contentHash = await hashFile(path) } = staged
    const { size: bytes } = await stat(path)
    const file = { path, bytes, contentHash, contentType: contentTypeOf(imageName) }
    await bucket.putNew(keyOf(imageName), file, signal)
  }

  const hashOf = async (key: string): Promise<string> => {
    const digest = await bucket.getWhole(key, async (content) => {
      const hash = createHash('sha256')
      await pipeline(content, hash)
      return hash.digest('hex')
    })
    return orRefuse(digest, 'image_not_found')
  }

  const move = async (from: string, to: string): Promise<void> => {
    if (!(await bucket.copy(from, to))) throw new Refusal('image_not_found')
    await bucket.remove([from])
  }

  return {
    ...incoming,

    duplicate: async (imageName) =>
      (await bucket.head(keyOf(imageName))) && new StagedCopy(incomingFolder, imageName),

    keep: async (files) => {
      const failed = new AbortController()
      const signal = AbortSignal.any([failed.signal, AbortSignal.timeout(MAX_KEEP_MS)])
      try {
        await pending?.add(files.map(({ imageName }) => imageName))
        const results = await Promise.allSettled(
          files.map(({ incoming: staged, imageName }) =>
            uploads(async () => {
              signal.throwIfAborted()
              await store(staged, imageName, signal)
            }).catch((error: unknown) => {
              failed.abort(error)
              throw error
            }),
          ),
        )
        const failure = results.find(({ status }) => status === 'rejected')
        if (failure !== undefined) throw s3Refusal(failed.signal.reason)
      } finally {
        for (const { incoming: staged } of files) await incoming.discard(staged)
      }
    },

    read: async (imageName) => bucket.get(keyOf(imageName)),

    readPart: async (imageName, range) =>
      (await bucket.get(keyOf(imageName), range))?.content ?? null,

    local: async (imageName) => {
      const path = join(incomingFolder, randomUUID())
      const remove = () => unlink(path).catch(ignoreMissing)
      try {
        return await bucket.getWhole(keyOf(imageName), async (content) => {
          await pipeline(content, createWriteStream(path)).catch((error: unknown) => {
            throw writeFailure(error)
          })
          return { path, [Symbol.asyncDispose]: remove }
        })
      } catch (error) {
        await remove()
        throw error
      }
    },

    stat: async (imageName) => bucket.head(keyOf(imageName)),

    contentHash: async (imageName) => hashOf(keyOf(imageName)),

    remove: async (imageNames) => bucket.remove(imageNames.map(keyOf)),

    list: async function* () {
      const lists = listByFolder(bucket, `${bucket.prefix}images/`)
      for (const folder of imageFolders) {
        const names: string[] = (await lists.next()).value ?? []
        yield { folder, imageNames: names.filter((name) => imageFolder(name) === folder) }
      }
    },

    hasAny: async () => {
      for await (const keys of bucket.list(`${bucket.prefix}images/`)) {
        if (keys.some((key) => imageFolder(nameOf(key)) !== null)) return true
      }
      return false
    },

    setAside: async (imageName) => {
      const key = `${setAsideStart}${Date.now()}-${randomUUID()}-${imageName}`
      await move(keyOf(imageName), key)
      return key
    },

    listSetAside: async () => {
      const keys = (await Array.fromAsync(bucket.list(setAsideStart))).flat()
      return keys.flatMap((path) => {
        const imageName = imageNameAtEnd(nameOf(path))
        return imageName === null ? [] : { path, imageName }
      })
    },

    setAsideHash: ({ path }) => hashOf(path),

    takeBack: async ({ path, imageName }) => {
      const key = keyOf(imageName)
      if ((await bucket.head(key)) === null) await move(path, key)
    },
  }
}

/** Returns the part of a key after the last slash. */
const nameOf = (key: string): string => key.slice(key.lastIndexOf('/') + 1)

export const contentTypeOf = (imageName: string): string =>
  mediaTypeOfName(imageName) ?? 'application/octet-stream'
