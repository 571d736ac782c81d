import { expect, test } from 'vitest'
import { memoizeLast } from './memoize-last.ts'

test('what is asked again at once is worked out once, and something else anew', () => {
  const asked: string[] = []
  const join = memoizeLast((a: string, b: string) => {
    asked.push(a + b)
    return { joined: a + b }
  })

  const first = join('a', 'b')
  const again = join('a', 'b')
  const other = join('a', 'c')

  expect(again).toBe(first)
  expect(other.joined).toBe('ac')
  expect(asked).toEqual(['ab', 'ac'])
})
