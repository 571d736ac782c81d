import { expect, test } from 'vitest'
import { importOf } from '#testing/library/import-of.ts'
import { hasNewImages } from './has-new-images.ts'

const before = [importOf({ import_id: 'a', taken_in: 44 })]

test.each([
  ['it took in more', { import_id: 'a', taken_in: 45 }, true],
  ['it took in nothing', { import_id: 'a', taken_in: 44 }, false],
  ['another one took its place and took in less', { import_id: 'b', taken_in: 16 }, true],
  ['another one has just begun', { import_id: 'b', taken_in: 0 }, false],
  ['another one only looks', { import_id: 'b', taken_in: 16, dry_run: true }, false],
])('compares with the previous snapshot: %s', (_, now, expected) => {
  expect(hasNewImages(before, [importOf(now)])).toBe(expected)
})
