import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { inSlices, withSignal } from './in-slices.ts'

test('processes every item once, in order', async () => {
  const slices: [number, number][] = []

  await inSlices(1_000_000, 1, (from, to) => slices.push([from, to]))

  expect(slices.length).toBeGreaterThan(1)
  expect(slices[0]?.[0]).toBe(0)
  expect(slices.at(-1)?.[1]).toBe(1_000_000)
  expect(slices.slice(1).map(([from]) => from)).toEqual(slices.slice(0, -1).map(([, to]) => to))
})

test('reacts to a cancel within long work', async () => {
  const cancel = new AbortController()
  let done = 0
  const work = withSignal(cancel.signal, () =>
    inSlices(Number.MAX_SAFE_INTEGER, 1e9, () => {
      done++
    }),
  )

  await setImmediate()
  cancel.abort(new Error('canceled'))

  await expect(work).rejects.toThrow('canceled')
  expect(done).toBeGreaterThan(0)
})
