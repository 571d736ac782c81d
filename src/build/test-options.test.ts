import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { projectRoot } from './project-root.ts'

test.each([
  { args: ['--allow-flakey', '2'], says: "unknown option '--allow-flakey'" },
  { args: ['--allow-flaky'], says: 'argument missing' },
  { args: ['--allow-flaky', 'two'], says: 'It must be a number from 0 to 999.' },
  { args: ['e2e'], says: 'too many arguments' },
])('rejects npm test $args', ({ args, says }) => {
  const test = join(projectRoot, 'src/build/test.ts')

  const { status, stdout, stderr } = spawnSync(process.execPath, [test, ...args])

  expect(status).toBe(1)
  expect(stderr.toString()).toContain(says)
  expect(stdout.toString()).toBe('')
})
