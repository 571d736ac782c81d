import { expect, test, vi } from 'vitest'
import type { Outcome } from '#gallery/api/outbox/outbox-open-steps.ts'
import { RunOrder } from './run-order.ts'

const DONE: Outcome = { done: ['a.png'], failed: [] }

/** Starts steps that end when `end` is called with their name. */
function setUp() {
  const order = new RunOrder()
  const started: string[] = []
  const ends = new Map<string, PromiseWithResolvers<Outcome>>()
  const run = (
    name: string,
    { mustWait = false, mustBlock = false, isLoaded = true }: Partial<Record<string, boolean>> = {},
  ) => {
    const end = Promise.withResolvers<Outcome>()
    ends.set(name, end)
    const start = () => {
      started.push(name)
      return end.promise
    }
    const load = async () => start
    return order.run({ mustWait, mustBlock, start: isLoaded ? start : undefined, load })
  }
  return { run, started, end: (name: string) => ends.get(name)?.resolve(DONE) }
}

test('starts steps at once, without waiting for earlier ones', () => {
  const { run, started } = setUp()

  void run('a')
  void run('b')

  expect(started).toEqual(['a', 'b'])
})

test('starts steps in their order if one has to be loaded', async () => {
  const { run, started, end } = setUp()

  void run('a', { isLoaded: false })
  const last = run('b')
  end('b')

  expect(await last).toEqual(DONE)
  expect(started).toEqual(['a', 'b'])
})

test('starts a step that must wait after all earlier ones have ended', async () => {
  const { run, started, end } = setUp()

  void run('a')
  void run('b', { mustWait: true })
  void run('c')
  expect(started).toEqual(['a'])
  end('a')

  await vi.waitFor(() => expect(started).toEqual(['a', 'b', 'c']))
})

test('starts no step before one that blocks has ended', async () => {
  const { run, started, end } = setUp()

  void run('a', { mustBlock: true })
  void run('b')
  expect(started).toEqual(['a'])
  end('a')

  await vi.waitFor(() => expect(started).toEqual(['a', 'b']))
})

test('continues after a step that failed', async () => {
  const order = new RunOrder()
  const step = { mustWait: false, mustBlock: true, load: async () => async () => DONE }
  const failing = order.run({ ...step, start: () => Promise.reject(new Error('No answer.')) })

  await expect(failing).rejects.toThrow('No answer.')
  expect(await order.run({ ...step, start: async () => DONE })).toEqual(DONE)
})
