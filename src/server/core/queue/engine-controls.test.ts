import { expect, test } from 'vitest'
import { LocalBus } from '#server/core/events/event-bus.ts'
import { InvocationCache } from '#server/engine/session/invocation-cache.ts'
import { shareControls } from './engine-controls.ts'

const fail = (error: unknown) => {
  throw error
}

test('controls the caches and the models of all processes', async () => {
  const bus = new LocalBus(fail)
  const emptied: string[] = []
  const engines = ['one', 'other'].map((name) => {
    const cache = new InvocationCache()
    cache.set(
      'key',
      { id: 'a', type: 'integer', is_intermediate: false, use_cache: true },
      {
        output: { type: 'integer_output', value: 1 },
        size: 1,
      },
    )
    const empty = async () => void emptied.push(name)
    const models = { budgetBytes: 0, load: async () => {}, empty }
    return { cache: cache.control, models }
  })
  const [controls] = engines.map((engine) => shareControls(engine, bus, fail))

  controls?.cache.clear()
  controls?.cache.setEnabled(false)
  await controls?.models.empty()

  for (const { cache } of engines) expect(cache.status()).toMatchObject({ size: 0, enabled: false })
  expect(new Set(emptied)).toEqual(new Set(['one', 'other']))
})
