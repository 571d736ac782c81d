import { expect, test } from 'vitest'
import type { ArchiveEntry } from '#server/core/images/image-ports.ts'
import { wireEntries } from './archive-names.ts'

test('names bulk download entries by category and image name', () => {
  const image = {
    image_name: 'a.png',
    image_category: 'user',
    file_name: 'cat.png',
  } as ArchiveEntry

  expect(wireEntries([image])).toEqual([{ image, entryName: 'user/a.png' }])
})
