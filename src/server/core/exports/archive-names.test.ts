import { expect, test } from 'vitest'
import type { ArchiveEntry } from '#server/core/images/image-ports.ts'
import { fileNameEntries, wireEntries } from './archive-names.ts'

const imageName = '018f0000-0000-7000-8000-0000000000ab.png'

const entry = (file_name: string | null): ArchiveEntry => ({
  image_name: imageName,
  image_category: 'user',
  file_name,
  file_size: 1,
  content_hash: 'ab',
})

const names = (...fileNames: (string | null)[]) =>
  fileNameEntries(fileNames.map(entry)).map(({ entryName }) => entryName)

test.each([
  ['cat.png', 'cat.png'],
  ['Grüße 日本.jpg', 'Grüße 日本.jpg'],
  ['a:b*c?.png', 'a_b_c_.png'],
  ['CON.png', '_CON.png'],
  ['lpt1', '_lpt1.png'],
  ['dots...', 'dots.png'],
  ['.hidden', 'image.hidden'],
  ['archive.tar.gz', 'archive.tar.gz'],
  ['no extension', 'no extension.png'],
  [null, imageName],
])('names %j as %j', (fileName, expected) => {
  expect(names(fileName)).toEqual([expected])
})

test('numbers names that differ only in case', () => {
  expect(names('a.png', 'A.PNG', 'a.png', 'a (2).png')).toEqual([
    'a.png',
    'A (2).PNG',
    'a (3).png',
    'a (2) (2).png',
  ])
})

test('makes ten thousand equal names unique', () => {
  const all = names(...Array<string>(10_000).fill('image.png'))

  expect(new Set(all.map((name) => name.toLowerCase())).size).toBe(10_000)
})

test('names bulk download entries by category and image name', () => {
  const image = entry('cat.png')

  expect(wireEntries([image])).toEqual([{ image, entryName: `user/${imageName}` }])
})
