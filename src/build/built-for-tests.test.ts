import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { buildForTests } from './built-for-tests.ts'

test('what tests start is built from the source as it is, once', async () => {
  const folder = process.env.BUILT_FOR_TESTS ?? ''
  const entries = ['engine-child.js', 'main.js', 'records-worker.js', 'server-host-child.js']

  expect(readdirSync(folder)).toEqual(expect.arrayContaining(entries))
  expect(await buildForTests()).toBe(folder)
})
