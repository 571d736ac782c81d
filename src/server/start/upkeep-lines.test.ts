import { expect, test } from 'vitest'
import { upkeepLines } from './upkeep-lines.ts'

const well = {
  temporaries: 0,
  downloads: 0,
  setAside: { count: 0, paths: [] },
  takenBack: 0,
  missing: { count: 0, imageNames: [] },
  purged: { images: 0, boards: 0, isPutOff: false },
}

test('logs nothing for a consistent library', () => {
  expect(upkeepLines(well)).toEqual([])
})

test('logs repairs with the first few names', () => {
  const setAside = { count: 3, paths: ['a.png', 'b.png'] }

  expect(upkeepLines({ ...well, temporaries: 2, setAside })).toEqual([
    '2 unfinished uploads of an earlier run were removed',
    '3 files without a record were set aside: a.png, b.png, ...',
  ])
})

test('uses the singular for a count of one', () => {
  const report = {
    temporaries: 1,
    downloads: 1,
    setAside: { count: 1, paths: ['a.png'] },
    takenBack: 1,
    missing: { count: 1, imageNames: ['b.png'] },
    purged: { images: 1, boards: 0, isPutOff: false },
  }

  expect(upkeepLines(report)).toEqual([
    '1 unfinished upload of an earlier run was removed',
    '1 download that nobody fetched was removed',
    '1 file without a record was set aside: a.png',
    '1 file that had been set aside was put back in place',
    '1 image has no file any more: b.png',
    '1 image had been in the trash for too long and was deleted',
  ])
})

test('logs only the kinds of items that were purged', () => {
  const lines = (images: number, boards: number) =>
    upkeepLines({ ...well, purged: { images, boards, isPutOff: false } })

  expect(lines(0, 2)).toEqual(['2 boards had been in the trash for too long and were deleted'])
  expect(lines(1, 1)).toEqual([
    '1 image and 1 board had been in the trash for too long and were deleted',
  ])
})
