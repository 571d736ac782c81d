import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'
import { openPlayableFolder } from './open-playable-folder.ts'

const nameOf = (number: number) => `01890000-0000-7000-8000-00000000000${number}.mov`

let dataFolder: string
let now: number
beforeEach(async () => {
  dataFolder = await createTemporaryFolder()
  now = Date.UTC(2026, 0, 1)
  onTestFinished(() => removeFolder(dataFolder))
})

const open = (maxBytes = 100, freeBytes = 1e9) =>
  openPlayableFolder({
    ...{ dataFolder, maxBytes },
    clock: () => (now += 1_000),
    freeBytes: async () => freeBytes,
  })

const stored = async () =>
  (await readdir(join(dataFolder, 'playable'))).map((name) => name.slice(35)).sort()

type Folder = ReturnType<typeof open>

const add = (folder: Folder, number: number, bytes: number, expectedBytes = bytes) =>
  folder.write(nameOf(number), expectedBytes, (path) => writeFile(path, 'x'.repeat(bytes)))

test('stores a copy, and reads a part of it', async () => {
  const folder = open()
  expect(await folder.find(nameOf(1))).toBeNull()
  expect(await folder.read(nameOf(1))).toBeNull()

  await folder.write(nameOf(1), 5, (path) => writeFile(path, 'a boat'))

  expect(await folder.find(nameOf(1))).toMatchObject({ bytes: 6 })
  const part = await folder.read(nameOf(1), { start: 2, end: 3 })
  expect(part && (await text(part))).toBe('bo')
})

test('deletes the copies that were not used for the longest time', async () => {
  const folder = open()
  await add(folder, 1, 40)
  await add(folder, 2, 40)
  await folder.find(nameOf(1))

  await add(folder, 3, 40)

  expect(await stored()).toEqual(['1.mov.mp4', '3.mov.mp4'])
})

test('counts the real size of a copy, and refuses one above the limit', async () => {
  const folder = open()
  await add(folder, 1, 40)

  await add(folder, 2, 70, 10)
  expect(await stored()).toEqual(['2.mov.mp4'])

  await expect(add(folder, 3, 101, 10)).rejects.toMatchObject({ code: 'conversion_failed' })
  expect(await stored()).toEqual(['2.mov.mp4'])
})

test('gives up copies if the disk is full, and refuses if that is not enough', async () => {
  await add(open(), 1, 40)
  const folder = open(100, 10)

  await expect(add(folder, 2, 60)).rejects.toMatchObject({ code: 'disk_full' })
  expect(await stored()).toEqual(['1.mov.mp4'])

  await add(folder, 2, 50)
  expect(await stored()).toEqual(['2.mov.mp4'])
})

test('leaves nothing of a copy that could not be made', async () => {
  const full = Object.assign(new Error('full'), { code: 'ENOSPC' })
  const failed = open().write(nameOf(1), 5, async (path) => {
    await writeFile(path, 'half')
    throw full
  })

  await expect(failed).rejects.toMatchObject({ code: 'disk_full' })
  expect(await stored()).toEqual([])
})

test('deletes unfinished files and copies above the limit at the start', async () => {
  await add(open(), 1, 40)
  await add(open(), 2, 40)
  await writeFile(join(dataFolder, 'playable', `${nameOf(3)}.x.part`), 'half')

  await open(50).sweep()
  expect(await stored()).toEqual(['2.mov.mp4'])

  await open(0).sweep()
  expect(await stored()).toEqual([])
})

test('deletes the copies of deleted videos, and takes no other name', async () => {
  const folder = open()
  await add(folder, 1, 40)

  await folder.remove([nameOf(1), nameOf(2)])

  expect(await stored()).toEqual([])
  await expect(folder.find('../../secret')).rejects.toMatchObject({ code: 'video_not_found' })
})

test('begins without a folder, and makes none in place of a data folder that is away', async () => {
  await open().sweep()
  expect(await readdir(dataFolder)).toEqual([])

  await mkdir(join(dataFolder, 'other'))
  await removeFolder(dataFolder)
  await expect(add(open(), 1, 40)).rejects.toThrow('ENOENT')
})
