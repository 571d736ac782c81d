import { expect, test } from 'vitest'
import { InvocationCache, MAX_CACHED_RESULTS } from './invocation-cache.ts'

const node = (id: string, value = 0) => ({
  id,
  type: 'integer',
  is_intermediate: false,
  use_cache: true,
  value,
})
const result = (value: number) => ({ output: { type: 'integer_output', value }, size: 1 })

const store = (cache: InvocationCache, value: number) =>
  cache.set(cache.keyOf(node('a', value)), node('a', value), result(value))
const everyImage = async () => true
const find = async (cache: InvocationCache, value: number) =>
  (await cache.get(cache.keyOf(node('b', value)), everyImage))?.output.value

test('shares results between nodes that differ only in their ids', () => {
  const cache = new InvocationCache()

  expect(cache.keyOf(node('a'))).toBe(cache.keyOf(node('b')))
  expect(cache.keyOf(node('a'))).not.toBe(cache.keyOf(node('a', 1)))
  expect(cache.keyOf(node('a'))).not.toBe(cache.keyOf({ ...node('a'), is_intermediate: true }))
})

test('evicts the least recently used result', async () => {
  const cache = new InvocationCache()
  for (let value = 0; value < MAX_CACHED_RESULTS; value += 1) store(cache, value)

  await find(cache, 0)
  store(cache, MAX_CACHED_RESULTS)

  expect(await find(cache, 0)).toBe(0)
  expect(await find(cache, 1)).toBeUndefined()
  expect(cache.control.status()).toEqual({
    size: MAX_CACHED_RESULTS,
    hits: 2,
    misses: 1,
    enabled: true,
    max_size: MAX_CACHED_RESULTS,
  })
})

test('neither stores, finds nor counts results while it is disabled', async () => {
  const cache = new InvocationCache()
  store(cache, 1)

  cache.control.setEnabled(false)
  store(cache, 2)

  expect(await find(cache, 1)).toBeUndefined()
  expect(cache.control.status()).toMatchObject({ size: 1, hits: 0, misses: 0, enabled: false })
})

test('drops results that use or produced a deleted image', async () => {
  const cache = new InvocationCache()
  const image = { image_name: 'gone' }
  cache.set('takes', { ...node('a'), inputs: [{ image }] }, result(1))
  cache.set('gives', node('a'), { output: { type: 'image_output', image }, size: 1 })
  cache.set('other', node('a'), result(1))

  const exists = async (imageName: string) => imageName !== 'gone'
  for (const key of ['takes', 'gives']) expect(await cache.get(key, exists)).toBeNull()
  expect(await cache.get('other', exists)).not.toBeNull()

  expect(cache.control.status()).toMatchObject({ size: 1, hits: 1, misses: 2 })
})
