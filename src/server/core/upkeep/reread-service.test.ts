import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, onTestFinished, test, vi } from 'vitest'
import { addPngText } from '#demo/png-text.ts'
import { READER_VERSION } from '#server/storage/metadata/reader-version.ts'
import { type Library, openLibrary } from '#testing/library/open-library.ts'
import { rereadAll } from './reread-batch.ts'
import { RereadService } from './reread-service.ts'

const SECOND = 1_000
const MINUTE = 60_000

/** Adds an image whose file says `a fox` and whose record says nothing, as if an earlier reader had not found it. */
const addUnread = async ({ ingest, rereads }: Library, metadata: string | null = null) => {
  const create = { width: 8, height: 8, channels: 3, background: 'red' } as const
  const file = addPngText(await sharp({ create }).png().toBuffer(), {
    parameters: 'a fox\nSteps: 20, Seed: 7',
  })
  const source = (async function* () {
    yield file
  })()
  const { image } = await ingest.ingest({ source, category: 'user', metadata })
  if (metadata !== null) return image.image_name
  const nothing = { invokeai: null, normal: null, workflow: null, graph: null }
  const read = { metadata: nothing, isAnimated: false }
  await rereads.store(READER_VERSION + 1, [{ imageName: image.image_name, read }])
  return image.image_name
}

/** A service with a clock and timers controlled by the test, whose reader is newer than the one of `addUnread`. */
const openService = async (library: Library) => {
  const failures: unknown[] = []
  const use = { isBusy: false }
  const parts = { ...library, readerVersion: READER_VERSION + 2 }
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const service = new RereadService({
    ...parts,
    state: { status: 'ok' },
    isBusy: () => use.isBusy,
    onFailure: (error) => failures.push(error),
  })
  onTestFinished(() => service.close())
  service.start()
  /** Lets the timer of the service fire, and waits for its batch. */
  const pass = async (ms: number) => {
    library.clock.advance(ms)
    vi.advanceTimersByTime(ms)
    await service.settled()
  }
  const promptOf = async (name: string) => (await library.images.get(name))?.prompt_start
  return { service, parts, pass, promptOf, use, failures }
}

test('reads the files of an earlier reader again and says how far it is', async () => {
  const library = await openLibrary()
  const names = [await addUnread(library), await addUnread(library)]
  const { service, pass, promptOf } = await openService(library)
  expect(await service.progress()).toEqual({ done: 0, total: 2 })

  await pass(10 * SECOND)
  await pass(SECOND)

  expect(await Promise.all(names.map(promptOf))).toEqual(['a fox', 'a fox'])
  expect(await service.progress()).toBeNull()
})

test('waits while the library is used, and reads a little each minute all the same', async () => {
  const library = await openLibrary()
  const name = await addUnread(library)
  const { service, pass, promptOf, use } = await openService(library)

  use.isBusy = true
  await pass(10 * SECOND)
  use.isBusy = false
  for (let seconds = 0; seconds < 58; seconds += 2) {
    await pass(SECOND)
    service.noteUse()
    await pass(SECOND)
  }
  expect(await promptOf(name)).toBeNull()
  await pass(SECOND)
  service.noteUse()
  await pass(SECOND)
  expect(await promptOf(name)).toBe('a fox')
})

test('keeps the metadata that an upload gave by hand', async () => {
  const library = await openLibrary()
  const given = '{"positive_prompt": "by hand", "seed": 12345678901234567890}'
  const name = await addUnread(library, given)
  const { parts } = await openService(library)

  await rereadAll(parts, { signal: new AbortController().signal, onProgress: () => {} })

  expect(await library.images.metadata(name)).toMatchObject({
    invokeai: given,
    normal: { prompt: 'by hand', raw: { metadata: given, parameters: expect.any(String) } },
  })
})

test('does not try a missing or damaged file again', async () => {
  const library = await openLibrary()
  const [whole, missing] = [await addUnread(library), await addUnread(library)]
  await rm(library.pathOf(missing))
  const { parts, promptOf } = await openService(library)

  const count = await rereadAll(parts, {
    signal: new AbortController().signal,
    onProgress: () => {},
  })

  expect(count).toBe(2)
  expect([await promptOf(whole), await promptOf(missing)]).toEqual(['a fox', null])
  expect(await library.rereads.count(parts.readerVersion)).toBe(0)
})

test('tries again a minute later if all originals are away @long', async () => {
  const library = await openLibrary()
  const name = await addUnread(library)
  const { pass, promptOf, failures, parts } = await openService(library)
  const [path, away] = [library.pathOf(name), join(library.dataFolder, 'away.png')]
  await rename(path, away)

  await pass(10 * SECOND)
  expect(failures).toEqual([expect.objectContaining({ code: 'disk_error' })])
  expect(await library.rereads.count(parts.readerVersion)).toBe(1)
  await rename(away, path)
  await pass(MINUTE)

  expect(await promptOf(name)).toBe('a fox')
})
