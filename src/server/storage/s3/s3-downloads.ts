import { createHash } from 'node:crypto'
import type { Clock } from '#server/core/clock.ts'
import type { Downloads } from '#server/core/intake/file-ports.ts'
import type { Bucket } from './bucket.ts'

const DAY_MS = 86_400_000

/**
 * Opens the finished zips of a bucket, below `downloads/`: one process makes it and any process of the library
 * sends it. A name becomes a hash, because a key is shorter than a name may be.
 */
export const openS3Downloads = (bucket: Bucket, clock: Clock = Date.now): Downloads => {
  const folder = `${bucket.prefix}downloads/`
  const keyOf = (name: string) => `${folder}${createHash('sha256').update(name).digest('hex')}`

  return {
    write: (zipName, content, signal) =>
      bucket.putStream(keyOf(zipName), content, 'application/zip', signal),

    take: async (zipName) => {
      const key = keyOf(zipName)
      const found = await bucket.get(key)
      if (found === null) return null
      const { bytes, content } = found
      // The content continues after its object is deleted.
      await bucket.remove([key]).catch((error: unknown) => {
        content.destroy()
        throw error
      })
      return { bytes, content }
    },

    sweep: async () => {
      let swept = 0
      for await (const keys of bucket.listOlderThan(folder, clock() - DAY_MS)) {
        await bucket.remove(keys)
        swept += keys.length
      }
      return swept
    },
  }
}
