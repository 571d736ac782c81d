import fc from 'fast-check'
import { expect, test } from 'vitest'
import { countLeading } from './count-leading.ts'

const PAGE = 10

const listOf = (leading: number, rest: number) => {
  const asked: number[] = []
  const pageAt = async (offset: number) => {
    asked.push(offset)
    const length = Math.max(0, Math.min(PAGE, leading + rest - offset))
    return { length, leading: Math.max(0, Math.min(length, leading - offset)) }
  }
  return { asked, pageAt }
}

test('counts correctly for every list', async () => {
  const count = fc.integer({ min: 0, max: 500 })
  await fc.assert(
    fc.asyncProperty(count, count, async (leading, rest) => {
      expect(await countLeading(listOf(leading, rest).pageAt, PAGE)).toBe(leading)
    }),
  )
})

test('sends one request for a list that fits on one page', async () => {
  const { asked, pageAt } = listOf(7, 1000)

  await countLeading(pageAt, PAGE)

  expect(asked).toEqual([0])
})

test('finds the end of a long run in few requests', async () => {
  const { asked, pageAt } = listOf(100_000, 100_000)

  await countLeading(pageAt, PAGE)

  expect(asked.length).toBeLessThan(30)
})
