import { execFile } from 'node:child_process'
import { mkdtemp, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'
import { projectRoot } from './project-root.ts'
import type { Outcome } from './test-outcomes.ts'

/** What tests do, each in a file of its own. */
const FILES = {
  fails: "test('ok', () => {}); test('fails', () => expect('dog').toBe('cat'))",
  rests: "test('ok', () => {}); test.skip('rests', () => {})",
  breaksFirst: "throw new Error('no disk'); test('ok', () => {})",
  breaksLast: "test('ok', () => {}); afterAll(() => { throw new Error('no end') })",
  leaks: `test('ok', async () => {
    Promise.reject(new Error('lost'))
    await new Promise((resolve) => setImmediate(resolve))
  })`,
  dies: "test('dies', () => process.kill(process.pid, 'SIGKILL'))",
  passes: "describe('all is', () => { test('ok', () => {}) })",
}

let root: string

beforeAll(async () => {
  root = await createTemporaryFolder()
  await symlink(join(projectRoot, 'node_modules'), join(root, 'node_modules'))
})

afterAll(() => removeFolder(root))

describe('Vitest', () => {
  let told: Map<string, string[]>

  beforeAll(async () => {
    const imports = "import { afterAll, describe, expect, test } from 'vitest'\n"
    told = await run('vitest/vitest.mjs', ['run'], 'vitest-outcomes.ts', imports, FILES)
  })

  test.each([
    ['fails', ['ok', "fails! expected 'dog' to be 'cat' // Object.is equality"]],
    ['rests', ['ok', 'rests! It was skipped.']],
    ['breaksFirst', ['! no disk']],
    ['breaksLast', ['! no end', 'ok']],
    ['leaks', ['ok', '! Nobody caught: lost']],
    ['dies', ['dies! It was pending.']],
    ['passes', ['all is > ok']],
  ])('tells that a file %s', (file, is) => {
    expect(told.get(`${file}.test.ts`)).toEqual(is)
  })
})

describe('Playwright', () => {
  const imports =
    "import { expect, test } from '@playwright/test'\nconst { afterAll, describe } = test\n"
  const tool = '@playwright/test/cli.js'
  let told: Map<string, string[]>

  beforeAll(async () => {
    const { breaksFirst: _, ...files } = FILES
    told = await run(tool, ['test'], 'playwright-outcomes.ts', imports, files)
  })

  test.each([
    [
      'fails',
      [
        'ok',
        'fails! Error: expect(received).toBe(expected) // Object.is equality | Expected: "cat" | Received: "dog"',
      ],
    ],
    ['rests', ['ok', 'rests! It was skipped.']],
    ['breaksLast', ['ok! Error: no end']],
    ['leaks', ['ok! Error: lost']],
    ['dies', ['dies! Error: worker process exited unexpectedly (code=null, signal=SIGKILL)']],
    ['passes', ['all is > ok']],
  ])('tells that a file %s', (file, is) => {
    expect(told.get(`${file}.test.ts`)).toEqual(is)
  })

  test('tells of a file that breaks before its tests', async () => {
    const { breaksFirst } = FILES

    const told = await run(tool, ['test'], 'playwright-outcomes.ts', imports, { breaksFirst })

    expect(told.get('')).toContain('! Error: no disk')
  })
})

/** What a runner tells of each file: the title of what passed; of what failed, also why. */
async function run(
  tool: string,
  args: string[],
  reporter: string,
  imports: string,
  files: Record<string, string>,
): Promise<Map<string, string[]>> {
  const folder = await mkdtemp(join(root, 'run-'))
  for (const [name, code] of Object.entries(files))
    await writeFile(join(folder, `${name}.test.ts`), imports + code)
  const outcomesFile = join(folder, 'outcomes.json')
  const path = join(projectRoot, 'node_modules', tool)
  const all = [path, ...args, `--reporter=${join(projectRoot, 'src/build', reporter)}`]
  const env = { ...process.env, OUTCOMES_FILE: outcomesFile }
  await expect(promisify(execFile)(process.execPath, all, { cwd: folder, env })).rejects.toThrow()
  const told = new Map<string, string[]>()
  const outcomes: Outcome[] = JSON.parse(await readFile(outcomesFile, 'utf8'))
  for (const { file, title, passed, failure } of outcomes) {
    if (passed && title === '') continue
    const line = passed ? title : `${title}! ${failure}`
    told.set(file, [...(told.get(file) ?? []), line])
  }
  return told
}
