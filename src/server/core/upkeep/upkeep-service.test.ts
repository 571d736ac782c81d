import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, unlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { v4, v7 } from 'uuid'
import { expect, onTestFinished, test, vi } from 'vitest'
import { TRASH_DAYS } from '#contract/limits.ts'
import { drawPicture } from '#demo/draw-picture.ts'
import { type Library, openLibrary } from '#testing/library/open-library.ts'
import { newImage } from '#testing/ports/new-image.ts'
import { UpkeepService } from './upkeep-service.ts'

const DAY_MS = 86_400_000

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

const addOne = async ({ ingest }: Library, seed = 1): Promise<string> => {
  const { bytes } = await drawPicture({ seed, kind: 'a1111', widthPx: 32, heightPx: 32 })
  const { image } = await ingest.ingest({ source: once(bytes), category: 'user' })
  return image.image_name
}

const nothingDone = {
  temporaries: 0,
  downloads: 0,
  setAside: { count: 0, paths: [] },
  takenBack: 0,
  missing: { count: 0, imageNames: [] },
  purged: { images: 0, boards: 0, isPutOff: false },
}

test('changes nothing in a consistent library', async () => {
  const library = await openLibrary()
  for (const seed of [1, 2, 3]) await addOne(library, seed)

  expect(await library.upkeepService.start()).toEqual(nothingDone)
  expect(await library.upkeep.allNames(null, 10)).toHaveLength(3)
})

test('prepares jumps for the first view until it closes', async () => {
  const { images, upkeepService } = await openLibrary()
  const shown = Array.from({ length: 7 }, (_, at) => newImage(`${at}.png`, { starred: at === 3 }))
  await images.addMany([...shown, newImage('hidden.png', { is_intermediate: true })])

  expect(await upkeepService.prepareJumps(2)).toBe(3)
  await upkeepService.close()
  expect(await upkeepService.prepareJumps(2)).toBe(0)
})

test('sets a file without a record aside and keeps the others', async () => {
  const library = await openLibrary()
  const kept = await addOne(library)
  const stray = library.pathOf(`${v7()}.png`)
  await mkdir(dirname(stray), { recursive: true })
  await writeFile(stray, 'precious')

  const { setAside, missing } = await library.upkeepService.start()

  expect(setAside.count).toBe(1)
  expect(await readFile(setAside.paths[0] ?? '', 'utf8')).toBe('precious')
  expect(missing.count).toBe(0)
  expect((await readFile(library.pathOf(kept))).length).toBeGreaterThan(0)
})

/** Writes files without a record, each in its own folder. */
const addStrays = async ({ pathOf }: Library, count: number, msecs?: number): Promise<string[]> => {
  const names = Array.from({ length: count }, (_, at) => {
    const id = v7(msecs === undefined ? {} : { msecs })
    return `${id.slice(0, -2)}${at.toString(16).padStart(2, '0')}.png`
  })
  for (const name of names) {
    await mkdir(dirname(pathOf(name)), { recursive: true })
    await writeFile(pathOf(name), `file ${name}`)
  }
  return names
}

const areAllThere = async ({ pathOf }: Library, names: readonly string[]): Promise<boolean> => {
  const there = await Promise.all(names.map((name) => readFile(pathOf(name)).catch(() => 0)))
  return !there.includes(0)
}

test('sets few files with InvokeAI names aside, but not many', async () => {
  const library = await openLibrary()
  await addOne(library)
  const addForeign = async () => {
    const path = library.pathOf(`${v4()}.png`)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, 'cut off')
  }
  for (let count = 0; count < 32; count++) await addForeign()

  expect(await library.upkeepService.start()).toMatchObject({ setAside: { count: 32 } })

  for (let count = 0; count < 33; count++) await addForeign()
  await expect(library.upkeepService.start()).rejects.toThrow('33 of 34 files in images/')
})

test('moves nothing if the database knows only few files', async () => {
  const library = await openLibrary()
  await addOne(library)
  const strays = await addStrays(library, 30)

  await expect(library.upkeepService.start()).rejects.toThrow(
    /^30 of 31 files in images\/ have no record in tessera\.db.*Put the right tessera\.db back/,
  )
  expect(await areAllThere(library, strays)).toBe(true)
})

test('moves nothing if no image of the database has a file', async () => {
  const library = await openLibrary()
  await unlink(library.pathOf(await addOne(library)))
  const strays = await addStrays(library, 2)

  await expect(library.upkeepService.start()).rejects.toThrow('2 of 2 files')
  expect(await areAllThere(library, strays)).toBe(true)
})

test('moves nothing if an empty database is newer than the files', async () => {
  const library = await openLibrary()
  const strays = await addStrays(library, 1, Date.now() - DAY_MS)

  await expect(library.upkeepService.start()).rejects.toThrow('1 of 1 files')
  expect(await areAllThere(library, strays)).toBe(true)
})

test('sets files of one interrupted import commit aside in a small library', async () => {
  const library = await openLibrary()
  await addOne(library)
  const strays = Array.from({ length: 32 }, () => `${v7().slice(0, -2)}ab.png`)
  await mkdir(dirname(library.pathOf(strays[0] ?? '')), { recursive: true })
  for (const name of strays) await writeFile(library.pathOf(name), '')

  expect((await library.upkeepService.start()).setAside.count).toBe(32)
})

test('moves a file back when its record exists again', async () => {
  const library = await openLibrary()
  const [whole, damaged] = [await addOne(library, 1), await addOne(library, 2)]
  const bytes = await readFile(library.pathOf(whole))
  await library.files.setAside(whole)
  await writeFile(await library.files.setAside(damaged), 'other bytes')

  const report = await library.upkeepService.start()

  expect(report).toMatchObject({ takenBack: 1, missing: { count: 1, imageNames: [damaged] } })
  expect(await readFile(library.pathOf(whole))).toEqual(bytes)
  expect(await readdir(join(library.dataFolder, 'set-aside'))).toHaveLength(1)
})

test('reports a record without a file and keeps it', async () => {
  const library = await openLibrary()
  const imageName = await addOne(library)
  await unlink(library.pathOf(imageName))

  const report = await library.upkeepService.start()

  expect(report.missing).toEqual({ count: 1, imageNames: [imageName] })
  expect(await library.images.get(imageName)).not.toBeNull()
})

/** A library of which the start compares only a sample: three images in each of two folders. */
const openLargeLibrary = async () => {
  const library = await openLibrary()
  const nameIn = (folder: string, msecs = library.clock() - DAY_MS) =>
    `${v7({ msecs }).slice(0, -2)}${folder}.png`
  const imageNames = ['00', '01'].flatMap((folder) => [1, 2, 3].map(() => nameIn(folder)))
  const addFile = async (imageName: string) => {
    await mkdir(dirname(library.pathOf(imageName)), { recursive: true })
    await writeFile(library.pathOf(imageName), `file ${imageName}`)
  }
  for (const imageName of imageNames) await addFile(imageName)
  const imageOf = (imageName: string) => {
    const content_hash = createHash('sha256').update(`file ${imageName}`).digest('hex')
    return newImage(imageName, { content_hash })
  }
  await library.images.addMany(imageNames.map(imageOf))
  const sample = { folders: 2, filesPerFolder: 3, maxStrays: 0, largeImages: 6 }
  const service = new UpkeepService({ ...library, sample })
  onTestFinished(() => service.close())
  return { library, service, imageNames, nameIn, addFile }
}

test('compares the files of a large library after the start', async () => {
  const { library, service, imageNames, nameIn, addFile } = await openLargeLibrary()
  const [gone = '', aside = ''] = imageNames
  const stray = nameIn('02')
  await addFile(stray)
  await service.start()
  await unlink(library.pathOf(gone))
  await library.files.setAside(aside)
  const young = nameIn('02', library.clock() + 1)
  await addFile(young)

  const report = await service.compareRest()

  expect(report).toMatchObject({ takenBack: 1, missing: { count: 1, imageNames: [gone] } })
  expect(report.setAside.paths.map((path) => path.endsWith(stray))).toEqual([true])
  expect(await areAllThere(library, [aside, young])).toBe(true)
})

test('compares a large library after the start even if most files are missing @long', async () => {
  const { library, service, imageNames } = await openLargeLibrary()
  const missing = imageNames.slice(1)
  for (const imageName of missing) await unlink(library.pathOf(imageName))

  expect((await service.start()).missing.count).toBe(0)

  const report = await service.compareRest()
  expect(report.missing).toEqual({ count: 5, imageNames: expect.arrayContaining(missing) })
})

test('refuses a large library if the sample of its files has no records', async () => {
  const { library, service, imageNames, nameIn, addFile } = await openLargeLibrary()
  for (const imageName of imageNames) await unlink(library.pathOf(imageName))
  for (const folder of ['00', '01', '02']) await addFile(nameIn(folder))

  await expect(service.start()).rejects.toThrow('have no record')
})

test('does not report an image deleted during the comparison @long', async () => {
  const { library, service, imageNames } = await openLargeLibrary()
  const [deleted = ''] = imageNames
  await service.start()
  await library.images.remove([deleted])
  library.removal.request()

  expect(await service.compareRest()).toMatchObject({
    setAside: { count: 0 },
    missing: { count: 0 },
  })
  expect(await areAllThere(library, [deleted])).toBe(false)
})

test('does not start a large library with a wrong database', async () => {
  const { library, service, imageNames } = await openLargeLibrary()
  await library.images.remove(imageNames.slice(0, 5))
  await library.upkeep.forgetTombstones(imageNames)
  const strays = await addStrays(library, 30)

  await expect(service.start()).rejects.toThrow('35 of 36 files')
  expect(await areAllThere(library, [...imageNames, ...strays])).toBe(true)
})

test('moves nothing if only the full comparison detects a wrong database @long', async () => {
  const { library, service, imageNames, nameIn, addFile } = await openLargeLibrary()
  const folders = Array.from({ length: 30 }, (_, at) => (at + 2).toString(16).padStart(2, '0'))
  const strays = folders.map((folder) => nameIn(folder))
  for (const stray of strays) await addFile(stray)
  await service.start()

  await expect(service.compareRest()).rejects.toThrow('30 of 36 files')
  expect(await areAllThere(library, [...imageNames, ...strays])).toBe(true)
})

test('does not set files of trashed images aside', async () => {
  const library = await openLibrary()
  const imageName = await addOne(library)
  await library.trash.trashImages([imageName])

  expect(await library.upkeepService.start()).toEqual(nothingDone)
})

test('finishes deletions interrupted by a crash', async () => {
  const library = await openLibrary()
  const imageName = await addOne(library)
  await library.images.remove([imageName])

  const report = await library.upkeepService.start()

  expect(report).toEqual(nothingDone)
  await expect(readFile(library.pathOf(imageName))).rejects.toThrow('ENOENT')
  expect(await library.thumbnails.read(imageName, 384)).toBeNull()
  expect(await library.upkeep.tombstones(10)).toEqual([])
})

test('deletes temporary files and zips of an earlier run', async () => {
  const library = await openLibrary()
  await library.files.receive(once(new Uint8Array(9)), { maxBytes: 10 })
  await library.zips.write('a.zip', [], new AbortController().signal)

  expect(await library.upkeepService.start()).toMatchObject({ temporaries: 1, downloads: 1 })
  expect(await readdir(join(library.dataFolder, 'incoming'))).toEqual([])
})

test('purges old items from the trash, including their files', async () => {
  const library = await openLibrary()
  const old = await addOne(library, 1)
  const recent = await addOne(library, 2)
  await library.trash.trashImages([old])
  library.clock.advance(TRASH_DAYS * DAY_MS)
  await library.trash.trashImages([recent])
  library.clock.advance(1)

  const { purged } = await library.upkeepService.start()

  expect(purged).toEqual({ images: 1, boards: 0, isPutOff: false })
  expect(await library.upkeep.allNames(null, 10)).toEqual([recent])
  await expect(readFile(library.pathOf(old))).rejects.toThrow('ENOENT')
})

test('purges the trash every day until it is closed @long', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const library = await openLibrary()
  const imageName = await addOne(library)
  await library.trash.trashImages([imageName])
  await library.upkeepService.start()
  const names = () => library.upkeep.allNames(null, 10)

  for (let week = 0; week < 4; week++) {
    library.clock.advance(7 * DAY_MS)
    vi.advanceTimersByTime(DAY_MS)
    await vi.waitFor(async () =>
      expect((await library.upkeep.getTimes()).seen).toBe(library.clock()),
    )
  }
  expect(await names()).toEqual([imageName])
  library.clock.advance(3 * DAY_MS)
  vi.advanceTimersByTime(DAY_MS)
  await vi.waitFor(async () => expect(await names()).toEqual([]), { timeout: 30_000 })

  await library.upkeepService.close()
  expect(vi.getTimerCount()).toBe(0)
})

test('deletes nothing for a day if the clock is far ahead', async () => {
  const library = await openLibrary()
  const imageName = await addOne(library)
  await library.trash.trashImages([imageName])
  const purged = async () => (await library.upkeepService.start()).purged
  await purged()

  library.clock.advance(40 * DAY_MS)
  expect(await purged()).toEqual({ images: 0, boards: 0, isPutOff: true })
  library.clock.advance(-40 * DAY_MS)
  expect(await purged()).toEqual({ images: 0, boards: 0, isPutOff: false })

  library.clock.advance(40 * DAY_MS)
  expect(await purged()).toMatchObject({ images: 0, isPutOff: true })
  library.clock.advance(DAY_MS)
  expect(await purged()).toEqual({ images: 1, boards: 0, isPutOff: false })
})

test('deletes thumbnails without an image, except of new uploads', async () => {
  const library = await openLibrary()
  const { thumbnails, upkeepService, clock } = library
  const imageName = await addOne(library)
  await upkeepService.start()
  const nameAt = (msecs: number) => `${v7({ msecs })}.png`
  const [old, young] = [nameAt(clock() - 1), nameAt(clock() + 1)]
  for (const name of [old, young]) await thumbnails.write(name, 384, new Uint8Array(9))

  expect(await upkeepService.sweepThumbnails()).toBe(1)

  expect(await thumbnails.read(old, 384)).toBeNull()
  expect(await thumbnails.read(young, 384)).not.toBeNull()
  expect(await thumbnails.read(imageName, 384)).not.toBeNull()
})
