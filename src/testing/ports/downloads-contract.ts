import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import type { Downloads } from '#server/core/intake/file-ports.ts'

const never = new AbortController().signal

const take = async (downloads: Downloads, zipName: string) => {
  const taken = await downloads.take(zipName)
  return taken === null ? null : { bytes: taken.bytes, content: await buffer(taken.content) }
}

/** The contract suite of finished zips. `open` returns an empty store. */
export const testDownloads = (open: () => Promise<Downloads>): void => {
  test.each([0, 30, 20_000_000])('returns a zip of %i bytes once', async (bytes) => {
    const downloads = await open()
    const content = randomBytes(bytes)

    await downloads.write('Trip_1.zip', Readable.from([content], { objectMode: false }), never)

    const taken = await take(downloads, 'Trip_1.zip')
    expect(taken?.bytes).toBe(bytes)
    // `toEqual` compares byte by byte, which takes seconds.
    expect(taken?.content.equals(content)).toBe(true)
    expect(await downloads.take('Trip_1.zip')).toBeNull()
  })

  test.each(['../tessera.db', 'nothing.zip', '', 'a/b.zip', 'x.zip\0'])(
    'returns null for the zip name %j',
    async (name) => {
      const downloads = await open()

      expect(await downloads.take(name)).toBeNull()
    },
  )

  test('stores a zip with a long name in any script', async () => {
    const downloads = await open()
    const name = `${'旅'.repeat(60)}_1.zip`

    await downloads.write(name, Readable.from(['zip']), never)

    expect((await take(downloads, name))?.content.toString()).toBe('zip')
  })

  test('has no zip after an aborted or failed write', async () => {
    const downloads = await open()
    const broken = new Readable({ read: () => broken.destroy(new Error('unreadable')) })

    const aborted = downloads.write('a.zip', Readable.from(['zip']), AbortSignal.abort())
    await expect(aborted).rejects.toThrow()
    await expect(downloads.write('b.zip', broken, never)).rejects.toThrow()

    expect(await downloads.take('a.zip')).toBeNull()
    expect(await downloads.take('b.zip')).toBeNull()
  })
}
