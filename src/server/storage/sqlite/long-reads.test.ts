import { expect, test } from 'vitest'
import { everything } from '#server/storage/records-contract/new-image.ts'
import { isLongRead } from './long-reads.ts'

const first = { offset: 0, limit: 100 }
const names = (count: number) => Array.from({ length: count }, (_, at) => `${at}.png`)

test.each<[boolean, string, unknown[]]>([
  [false, 'images.get', ['a.png']],
  [false, 'images.page', [everything, first]],
  [false, 'images.page', [{ ...everything, searchTerm: '' }, first]],
  [true, 'images.page', [{ ...everything, searchTerm: 'sea' }, first]],
  [true, 'images.page', [{ ...everything, query: 'sea' }, first]],
  [true, 'images.page', [{ ...everything, categories: ['user'] }, first]],
  [true, 'images.page', [everything, { offset: 0, limit: -1 }]],
  [true, 'images.position', [{ ...everything, query: 'sea' }, 'a.png']],
  [true, 'images.days', [everything, 'UTC']],
  [true, 'images.names', [everything]],
  [false, 'images.listByNames', [names(100)]],
  [true, 'images.listByNames', [names(5000)]],
  // The server start compares all files with records in parts. It must not start the thread for long reads.
  [false, 'upkeep.allNames', [null, 5000]],
  [false, 'upkeep.unknownNames', [names(500)]],
])('returns %s for %s of %j', (isLong, unit, args) => {
  expect(isLongRead(unit, args)).toBe(isLong)
})
