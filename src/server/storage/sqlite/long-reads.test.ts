import { expect, test } from 'vitest'
import { everything } from '#server/storage/records-contract/new-image.ts'
import { isLongRead, limitLongReads } from './long-reads.ts'

const first = { offset: 0, limit: 100 }
const names = (count: number) => Array.from({ length: count }, (_, at) => `${at}.png`)

test.each<[boolean, string, unknown[]]>([
  [false, 'images.get', ['a.png']],
  [false, 'images.page', [everything, first]],
  [false, 'images.page', [{ ...everything, searchTerm: '' }, first]],
  [true, 'images.page', [{ ...everything, searchTerm: 'sea' }, first]],
  [true, 'images.page', [{ ...everything, query: 'sea' }, first]],
  [true, 'images.page', [everything, { offset: 0, limit: -1 }]],
  [true, 'images.position', [{ ...everything, query: 'sea' }, 'a.png']],
  [true, 'images.days', [everything, 'UTC']],
  [true, 'images.names', [everything]],
  [false, 'images.listByNames', [names(100)]],
  [true, 'images.listByNames', [names(5000)]],
])('it is %s that %s of %j may take long', (isLong, unit, args) => {
  expect(isLongRead(unit, args)).toBe(isLong)
})

test('one thread of three is left to what is quick', async () => {
  const limit = limitLongReads(3, 10)
  let running = 0
  let most = 0
  const work = async () => {
    running += 1
    most = Math.max(most, running)
    await Promise.resolve()
    running -= 1
  }

  await Promise.all(Array.from({ length: 8 }, () => limit(work)))

  expect(most).toBe(2)
})

test('more long reads than may wait are refused as busy', async () => {
  const limit = limitLongReads(2, 1)
  const never = () => new Promise<void>(() => undefined)
  void limit(never)
  void limit(never)

  expect(() => limit(never)).toThrow(expect.objectContaining({ code: 'busy' }))
})
