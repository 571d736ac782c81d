import { v4, v7 } from 'uuid'
import { expect, test } from 'vitest'
import { OriginalCheck } from './original-check.ts'

const NOW = Date.UTC(2026, 0, 1)

/** Counts how often the file is read. */
const open = (
  file: { bytes: number; modifiedAt: number; contentHash: string },
  imageName = `${v7({ msecs: NOW })}.png`,
) => {
  let reads = 0
  const check = new OriginalCheck({
    stat: async () => ({ bytes: file.bytes, modifiedAt: file.modifiedAt, changedAt: 0 }),
    contentHash: async () => {
      reads++
      return file.contentHash
    },
  })
  const image = { image_name: imageName, file_size: 9, content_hash: 'a' }
  return { isWhole: () => check.isWhole(image), reads: () => reads }
}

test('does not read a file older than its image name', async () => {
  const { isWhole, reads } = open({ bytes: 9, modifiedAt: NOW - 1, contentHash: 'b' })

  expect(await isWhole()).toBe(true)
  expect(reads()).toBe(0)
})

test('reads a file with an InvokeAI name once, whatever its date', async () => {
  const file = { bytes: 9, modifiedAt: 0, contentHash: 'a' }
  const { isWhole, reads } = open(file, `${v4()}.png`)

  expect([await isWhole(), await isWhole()]).toEqual([true, true])
  expect(reads()).toBe(1)

  const damaged = open({ ...file, contentHash: 'b' }, `${v4()}.png`)
  expect(await damaged.isWhole()).toBe(false)
})

test('reports a file of another size as damaged without reading it', async () => {
  const { isWhole, reads } = open({ bytes: 8, modifiedAt: NOW - 1, contentHash: 'a' })

  expect(await isWhole()).toBe(false)
  expect(reads()).toBe(0)
})

test('reads a file with a later date once for concurrent checks', async () => {
  const file = { bytes: 9, modifiedAt: NOW + 60_000, contentHash: 'a' }
  const { isWhole, reads } = open(file)

  expect(await Promise.all([isWhole(), isWhole()])).toEqual([true, true])
  expect(await isWhole()).toBe(true)
  expect(reads()).toBe(1)
  Object.assign(file, { modifiedAt: NOW + 120_000, contentHash: 'b' })
  expect(await isWhole()).toBe(false)
  expect(reads()).toBe(2)
})

test.each([
  ['a', true],
  ['b', false],
])('trusts the hash %s that a store returns with the dates', async (contentHash, isWhole) => {
  const found = { bytes: 9, modifiedAt: NOW + 60_000, changedAt: 0, contentHash }
  const check = new OriginalCheck({
    stat: async () => found,
    contentHash: () => Promise.reject(new Error('the file was read')),
  })

  expect(await check.isWhole({ image_name: `${v4()}.png`, file_size: 9, content_hash: 'a' })).toBe(
    isWhole,
  )
})
