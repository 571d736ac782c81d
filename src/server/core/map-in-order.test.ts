import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { mapInOrder } from './map-in-order.ts'

async function* numbers(count: number) {
  for (let at = 0; at < count; at++) yield at
}

test('yields results in the order of the items', async () => {
  const got: number[] = []
  let atOnce = 0
  let most = 0
  const work = async (item: number) => {
    most = Math.max(most, ++atOnce)
    for (let turns = (item * 7) % 5; turns > 0; turns--) await turn()
    atOnce--
    return item
  }

  for await (const results of mapInOrder(numbers(100), work, { ahead: 8, together: 4 })) {
    expect(results.length).toBeLessThanOrEqual(4)
    await turn()
    got.push(...results)
  }

  expect(got).toEqual(Array.from({ length: 100 }, (_, at) => at))
  expect(most).toBeGreaterThan(1)
  expect(most).toBeLessThanOrEqual(8)
})

test('throws an error of the items after the results of started items', async () => {
  async function* broken() {
    yield* numbers(3)
    throw new Error('the source is gone')
  }
  const got: number[] = []
  const all = async () => {
    for await (const results of mapInOrder(broken(), async (item) => item, {
      ahead: 2,
      together: 2,
    })) {
      got.push(...results)
    }
  }

  await expect(all()).rejects.toThrow('the source is gone')
  expect(got).toEqual([0, 1, 2])
})

test('yields nothing for an empty iterable', async () => {
  for await (const _ of mapInOrder(numbers(0), async (item) => item, { ahead: 2, together: 2 })) {
    expect.unreachable()
  }
})
