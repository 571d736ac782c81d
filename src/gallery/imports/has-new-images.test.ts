import { expect, test } from 'vitest'
import { importOf } from '#testing/library/import-of.ts'
import { hasNewImages } from './has-new-images.ts'

const before = [importOf({ import_id: 'a', taken_in: 44 })]

test.each([
  ['more images', { import_id: 'a', taken_in: 45 }, true],
  ['the same number of images', { import_id: 'a', taken_in: 44 }, false],
  ['a restarted import with fewer images', { import_id: 'b', taken_in: 16 }, true],
  ['a new import without images', { import_id: 'b', taken_in: 0 }, false],
  ['a dry run', { import_id: 'b', taken_in: 16, dry_run: true }, false],
])('compares with the previous snapshot: %s', (_, now, expected) => {
  expect(hasNewImages(before, [importOf(now)])).toBe(expected)
})
