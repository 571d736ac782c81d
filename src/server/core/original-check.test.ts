import { v7 } from 'uuid'
import { expect, test } from 'vitest'
import { OriginalCheck } from './original-check.ts'

const NOW = Date.UTC(2026, 0, 1)

/** Counts how often the file is read. */
const open = (file: { bytes: number; modifiedAt: number; contentHash: string }) => {
  let reads = 0
  const check = new OriginalCheck({
    pathOf: (imageName) => imageName,
    stat: async () => file,
    contentHash: async () => {
      reads++
      return file.contentHash
    },
  })
  const image = { image_name: `${v7({ msecs: NOW })}.png`, file_size: 9, content_hash: 'a' }
  return { isWhole: () => check.isWhole(image), reads: () => reads }
}

test('a file that is older than the name of its image is not read', async () => {
  const { isWhole, reads } = open({ bytes: 9, modifiedAt: NOW - 1, contentHash: 'b' })

  expect(await isWhole()).toBe(true)
  expect(reads()).toBe(0)
})

test('a file of another size is not read and not whole', async () => {
  const { isWhole, reads } = open({ bytes: 8, modifiedAt: NOW - 1, contentHash: 'a' })

  expect(await isWhole()).toBe(false)
  expect(reads()).toBe(0)
})

test('a file with a later date is read once, however many ask', async () => {
  const file = { bytes: 9, modifiedAt: NOW + 60_000, contentHash: 'a' }
  const { isWhole, reads } = open(file)

  expect(await Promise.all([isWhole(), isWhole()])).toEqual([true, true])
  expect(await isWhole()).toBe(true)
  expect(reads()).toBe(1)
  Object.assign(file, { modifiedAt: NOW + 120_000, contentHash: 'b' })
  expect(await isWhole()).toBe(false)
  expect(reads()).toBe(2)
})
