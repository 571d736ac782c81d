import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { projectRoot } from './project-root.ts'
import { LONG_FILES, SLOW_FILES } from './slow-files-first.ts'

test.each([...LONG_FILES, ...SLOW_FILES])('names an existing file: %s', (file) => {
  expect(existsSync(join(projectRoot, file))).toBe(true)
})
