import { expect, test } from 'vitest'
import { type Candidate, suggestKept } from './suggest-kept.ts'

const plain: Candidate = {
  ...{ id: 1, pixels: 100, metadata: 0, format: 0, isStarred: false, isOnBoard: false, bytes: 10 },
}

test.each<[string, Partial<Candidate>[], number]>([
  ['pixels', [{ metadata: 3, isStarred: true }, { pixels: 101 }], 1],
  ['metadata', [{ metadata: 1 }, { format: 2, isStarred: true }], 0],
  ['format', [{ isStarred: true }, { format: 1 }, { format: 2 }], 2],
  ['starred', [{ isStarred: true }, { isOnBoard: true }], 0],
  ['board', [{ bytes: 20 }, { isOnBoard: true }], 1],
  ['bytes', [{}, { bytes: 11 }, { bytes: 11, pixels: 99 }], 1],
  ['oldest', [{}, {}, {}], 0],
  ['oldest', [{ pixels: 99 }, {}, {}], 1],
])('keeps the image with the better %s', (reason, different, kept) => {
  const candidates = different.map((own, at) => ({ ...plain, id: at + 1, ...own }))
  expect(suggestKept(candidates)).toEqual({ kept: candidates[kept], reason })
  expect(suggestKept(candidates.toReversed())).toEqual({ kept: candidates[kept], reason })
})
