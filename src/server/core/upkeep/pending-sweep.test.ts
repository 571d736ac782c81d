import { randomBytes } from 'node:crypto'
import { v7 } from 'uuid'
import { expect, onTestFinished, test, vi } from 'vitest'
import { memoryPending } from '#testing/library/memory-pending.ts'
import { type Library, openLibrary } from '#testing/library/open-library.ts'
import { newImage } from '#testing/ports/new-image.ts'
import type { ComparisonReport } from './library-comparison.ts'
import { sweepPending } from './pending-sweep.ts'
import { UpkeepService } from './upkeep-service.ts'

const HOUR_MS = 3_600_000

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

/** Stores a file as an upload does, up to its row. */
const addFile = async ({ files }: Library, bytes = randomBytes(10)): Promise<string> => {
  const imageName = `${v7()}.png`
  const incoming = await files.receive(once(bytes), { maxBytes: 100 })
  await files.keep([{ incoming, imageName }])
  return imageName
}

const open = async () => {
  const library = await openLibrary()
  const pending = memoryPending(library.clock)
  return { ...library, pending }
}

test('sets a file aside that has no record after an hour', async () => {
  const library = await open()
  const { pending, clock, files, thumbnails } = library
  const imageName = await addFile(library)
  await thumbnails.write(imageName, 384, randomBytes(9))
  await pending.add([imageName])

  clock.advance(HOUR_MS - 1)
  expect(await sweepPending(library)).toEqual([])
  clock.advance(1)
  expect(await sweepPending(library)).toEqual([expect.stringContaining(imageName)])

  expect(await files.listSetAside()).toMatchObject([{ imageName }])
  expect(await files.stat(imageName)).toBeNull()
  expect(await thumbnails.read(imageName, 384)).toBeNull()
  expect(pending.names()).toEqual([])
})

test('forgets names with a record and names without a file', async () => {
  const library = await open()
  const { pending, clock, files, images } = library
  const imageName = await addFile(library)
  await images.addMany([newImage(imageName)])
  await pending.add([imageName, `${v7()}.png`])
  clock.advance(2 * HOUR_MS)

  expect(await sweepPending(library)).toEqual([])

  expect(await files.stat(imageName)).not.toBeNull()
  expect(pending.names()).toEqual([])
})

test('sweeps at the start and every hour instead of listing all files', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const library = await open()
  const { pending, clock } = library
  const list = () => {
    throw new Error('all files were listed')
  }
  const request = vi.spyOn(library.removal, 'request')
  const onSwept = vi.fn<(report: ComparisonReport) => void>()
  const service = new UpkeepService({
    ...library,
    files: { ...library.files, list },
    thumbnails: { ...library.thumbnails, list },
    onSwept,
  })
  const [early, late] = [await addFile(library), await addFile(library)]
  await pending.add([early])
  clock.advance(HOUR_MS + 1)

  const { setAside } = await service.start()
  await service.compareRest()
  await service.sweepThumbnails()
  expect(setAside).toEqual({ count: 1, paths: [expect.stringContaining(early)] })

  request.mockClear()
  await pending.add([late])
  clock.advance(HOUR_MS + 1)
  vi.advanceTimersByTime(HOUR_MS)
  await vi.waitFor(() => expect(onSwept).toHaveBeenCalledOnce())
  expect(onSwept.mock.lastCall?.[0].setAside.paths).toEqual([expect.stringContaining(late)])
  expect(request).toHaveBeenCalledOnce()
  await service.close()
  expect(vi.getTimerCount()).toBe(0)
})
