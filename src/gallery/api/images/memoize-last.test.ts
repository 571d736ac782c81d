import { expect, test } from 'vitest'
import { memoizeLast } from './memoize-last.ts'

test('computes a repeated call once and a different call again', () => {
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
