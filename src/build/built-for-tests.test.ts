import { globSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { buildForTests, startingBuiltEntries } from './built-for-tests.ts'
import { projectRoot } from './project-root.ts'

test('builds the entries for tests once, from the current source', async () => {
  const folder = process.env.BUILT_FOR_TESTS ?? ''
  const entries = ['engine-child.js', 'main.js', 'records-worker.js', 'server-host-child.js']

  expect(readdirSync(folder)).toEqual(expect.arrayContaining(entries))
  expect(await buildForTests()).toBe(folder)
})

test('starts every thread and process of the server from the build', async () => {
  const { transform } = await startingBuiltEntries()
  const files = globSync('src/server/**/*.ts', { cwd: projectRoot }).map((file) => ({
    id: join(projectRoot, file),
    code: readFileSync(join(projectRoot, file), 'utf8'),
  }))
  const starting = files.filter(({ code }) => /new URL\([^)]*extname\(/.test(code))

  expect(starting.length).toBeGreaterThan(5)
  for (const { id, code } of starting)
    expect(transform(code, id), id).not.toMatch(/new URL\([^)]*extname\(/)
})
