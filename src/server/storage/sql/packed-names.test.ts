import { expect, test } from 'vitest'
import { jsonOf } from '#testing/ports/new-image.ts'
import { packNames, unpackNames } from './packed-names.ts'

async function* partsOf(names: readonly string[]) {
  for (let from = 0; from < names.length; from += 1_000)
    yield JSON.stringify(names.slice(from, from + 1_000))
}

test.each([
  ['none', []],
  ['one', ['a.png']],
  ['some', ['a.png', 'é.png', '東.png', '"quoted".png']],
  ['several parts', Array.from({ length: 12_345 }, (_, at) => `0190-1234-5678-${at}.png`)],
])('unpacks %s as they were packed', async (_, names) => {
  const packed = await packNames(partsOf(names), names.length)
  const text = unpackNames(packed)

  expect(text.bytes).toBe(packed.byteLength)
  expect(await jsonOf(text)).toBe(JSON.stringify(names))
  expect(packed.byteLength).toBe(0)
})

test('frees the memory when a client disconnects', async () => {
  const names = Array.from({ length: 10_000 }, (_, at) => `0190-1234-5678-${at}.png`)
  const packed = await packNames(partsOf(names), names.length)
  for await (const _ of unpackNames(packed).pieces) break

  expect(packed.byteLength).toBe(0)
})
