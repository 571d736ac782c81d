import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { View } from '#server/core/images/image-ports.ts'
import { reuseLibraries } from '#testing/library/open-library.ts'
import { newImage } from '#testing/ports/new-image.ts'
import type { IdGroups, PictureGrouper } from './duplicate-ports.ts'
import { DuplicateService } from './duplicate-service.ts'

const library = reuseLibraries()
const view: View = {
  ...{ orderBy: 'created_at', orderDir: 'DESC', starredFirst: false },
  ...{ kind: 'all', isIntermediate: false },
}
const first = { offset: 0, limit: 10 }
const near = { match: 'near' as const, distance: 7, ...first }
const nearer = { match: 'near' as const, distance: 5, ...first }

/** Ends a comparison when the test says so. */
class SteeredGrouper implements PictureGrouper {
  /** The distances of all comparisons so far. */
  readonly begun: number[] = []
  end: (groups: IdGroups | null) => void = () => {}

  group: PictureGrouper['group'] = (_pictures, _sameBytes, { distance }) => {
    const { promise, resolve } = Promise.withResolvers<IdGroups | null>()
    this.begun.push(distance)
    this.end = resolve
    return { groups: promise, progress: () => ({ done: 1, total: 3 }), cancel: () => resolve(null) }
  }

  async close(): Promise<void> {}
}

let service: DuplicateService
let grouper: SteeredGrouper
let ids: number[]
let revision: number
let nowMs: number
beforeEach(async () => {
  const records = await library()
  for (const digit of ['a', 'b', 'c']) {
    const name = `01890000-0000-7000-8000-00000000000${digit}.png`
    await records.images.add(newImage(name, { fingerprint: [1, 2, 3, 4, 5] }))
  }
  ids = [...(await records.duplicates.pictures()).ids]
  grouper = new SteeredGrouper()
  revision = 1
  nowMs = 0
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs)
  service = new DuplicateService({
    records: records.duplicates,
    revision: async () => revision,
    grouper,
  })
})
afterEach(async () => {
  await service.close()
  vi.restoreAllMocks()
})

const namesOf = async (asked: typeof near) => {
  const { items, progress } = await service.list(view, asked)
  return { names: items.map(({ images }) => images.length), progress }
}

const groupOfTwo = () => Uint32Array.of(2, ids[0] ?? 0, ids[1] ?? 0)
const groupOfThree = () => Uint32Array.of(3, ...ids)

test('compares for one tab after the other if two tabs have different settings @long', async () => {
  const [one, other] = await Promise.all([namesOf(near), namesOf(nearer)])
  expect([one, other]).toEqual([
    { names: [], progress: { done: 1, total: 3 } },
    { names: [], progress: { done: 0, total: 0 } },
  ])
  expect(grouper.begun).toEqual([7])

  grouper.end(groupOfThree())
  expect(await namesOf(near)).toEqual({ names: [3], progress: null })
  await expect.poll(() => grouper.begun).toEqual([7, 5])
  grouper.end(groupOfTwo())
  expect(await namesOf(nearer)).toEqual({ names: [2], progress: null })
  expect(await namesOf(near)).toEqual({ names: [3], progress: null })
  expect(grouper.begun).toEqual([7, 5])
})

test('ends a comparison that nobody asks for while another one waits', async () => {
  const abandoned = namesOf(near)
  await expect.poll(() => grouper.begun).toEqual([7])
  nowMs = 5_000
  const waiting = namesOf(nearer)
  expect(await abandoned).toEqual({ names: [], progress: { done: 1, total: 3 } })
  await expect.poll(() => grouper.begun).toEqual([7, 5])
  grouper.end(groupOfTwo())
  expect(await waiting).toEqual({ names: [2], progress: null })
})

test('does not call the groups before a change final if their comparison was canceled', async () => {
  const before = namesOf(near)
  await expect.poll(() => grouper.begun).toEqual([7])
  grouper.end(groupOfTwo())
  expect(await before).toEqual({ names: [2], progress: null })

  revision = 2
  const after = namesOf(near)
  await expect.poll(() => grouper.begun).toEqual([7, 7])
  grouper.end(null)
  const { names, progress } = await after
  expect(names).toEqual([2])
  expect(progress).not.toBeNull()
})

test('compares again after a comparison has failed', async () => {
  const failing = namesOf(near)
  await expect.poll(() => grouper.begun).toEqual([7])
  grouper.end(Promise.reject(new Error('out of memory')) as never)
  await expect(failing).rejects.toThrow('out of memory')
  const again = namesOf(near)
  await expect.poll(() => grouper.begun).toEqual([7, 7])
  grouper.end(groupOfTwo())
  expect(await again).toEqual({ names: [2], progress: null })
})
