import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { buildForTests } from './built-for-tests.ts'

test('builds the entries for tests once, from the current source', async () => {
  const folder = process.env.BUILT_FOR_TESTS ?? ''
  const entries = ['engine-child.js', 'main.js', 'records-worker.js', 'server-host-child.js']

  expect(readdirSync(folder)).toEqual(expect.arrayContaining(entries))
  expect(await buildForTests()).toBe(folder)
})
