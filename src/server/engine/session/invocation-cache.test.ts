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

const keep = (cache: InvocationCache, value: number) =>
  cache.keep(cache.keyOf(node('a', value)), node('a', value), result(value))
const find = (cache: InvocationCache, value: number) =>
  cache.get(cache.keyOf(node('b', value)))?.output.value

test('nodes that differ in their ids alone are the same, in anything else they are not', () => {
  const cache = new InvocationCache()

  expect(cache.keyOf(node('a'))).toBe(cache.keyOf(node('b')))
  expect(cache.keyOf(node('a'))).not.toBe(cache.keyOf(node('a', 1)))
  expect(cache.keyOf(node('a'))).not.toBe(cache.keyOf({ ...node('a'), is_intermediate: true }))
})

test('the result that was not asked for longest leaves first', () => {
  const cache = new InvocationCache()
  for (let value = 0; value < MAX_CACHED_RESULTS; value += 1) keep(cache, value)

  find(cache, 0)
  keep(cache, MAX_CACHED_RESULTS)

  expect(find(cache, 0)).toBe(0)
  expect(find(cache, 1)).toBeUndefined()
  expect(cache.control.status()).toEqual({
    size: MAX_CACHED_RESULTS,
    hits: 2,
    misses: 1,
    enabled: true,
    max_size: MAX_CACHED_RESULTS,
  })
})

test('while it is off nothing is kept, found or counted', () => {
  const cache = new InvocationCache()
  keep(cache, 1)

  cache.control.setEnabled(false)
  keep(cache, 2)

  expect(find(cache, 1)).toBeUndefined()
  expect(cache.control.status()).toMatchObject({ size: 1, hits: 0, misses: 0, enabled: false })
})

test('what mentions an image that is gone is dropped, whether it took or gave it', () => {
  const cache = new InvocationCache()
  const image = { image_name: 'gone' }
  cache.keep('takes', { ...node('a'), inputs: [{ image }] }, result(1))
  cache.keep('gives', node('a'), { output: { type: 'image_output', image }, size: 1 })
  cache.keep('other', node('a'), result(1))

  cache.control.forgetImages(['gone', 'unknown'])

  expect(['takes', 'gives', 'other'].map((key) => cache.get(key) !== null)).toEqual([
    false,
    false,
    true,
  ])
})
