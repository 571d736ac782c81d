import { expect, test } from 'vitest'
import { packNames, unpackNames } from './packed-names.ts'

test.each([
  ['none', []],
  ['one', ['a.png']],
  ['some', ['a.png', 'é.png', '東.png']],
  ['more than a turn', Array.from({ length: 60_000 }, (_, at) => `0190-1234-5678-${at}.png`)],
])('%s unpacked are the names that were packed', async (_, names) => {
  expect(await unpackNames(packNames(names.join('\n')))).toEqual(names)
})
