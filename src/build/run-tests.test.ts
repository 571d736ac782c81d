import { execFile } from 'node:child_process'
import { mkdtemp, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'
import { projectRoot } from './project-root.ts'
import type { Outcome } from './test-outcomes.ts'

/** Test files, each named for its outcome. */
const FILES = {
  fails: "test('ok', () => {}); test('fails', () => expect('dog').toBe('cat'))",
  skips: "test('ok', () => {}); test.skip('skips', () => {})",
  breaksFirst: "throw new Error('no disk'); test('ok', () => {})",
  breaksLast: "test('ok', () => {}); afterAll(() => { throw new Error('no end') })",
  leaks: `test('ok', async () => {
    Promise.reject(new Error('lost'))
    await new Promise((resolve) => setImmediate(resolve))
  })`,
  dies: "test('dies', () => process.kill(process.pid, 'SIGKILL'))",
  passes: "describe('all is', () => { test('ok', () => {}) })",
}

/** Tests that only `npm test -- --all` runs. */
const LEAVES_OUT = `test('ok', () => {}); test.skip('detail @long', () => {})
  describe('details @long', () => { test.skip('skips', () => {}) })`

const execute = promisify(execFile)

let root: string

beforeAll(async () => {
  root = await createTemporaryFolder()
  await symlink(join(projectRoot, 'node_modules'), join(root, 'node_modules'))
})

afterAll(() => removeFolder(root))

describe('Vitest', () => {
  let reported: Map<string, string[]>

  beforeAll(async () => {
    const imports = "import { afterAll, describe, expect, test } from 'vitest'\n"
    const files = { ...FILES, leavesOut: LEAVES_OUT }
    reported = await run('vitest/vitest.mjs', ['run'], 'vitest-outcomes.ts', imports, files)
  })

  test.each([
    ['fails', ['ok', "fails! expected 'dog' to be 'cat' // Object.is equality"]],
    ['skips', ['ok', 'skips! The test was skipped.']],
    ['leavesOut', ['ok']],
    ['breaksFirst', ['! no disk']],
    ['breaksLast', ['! no end', 'ok']],
    ['leaks', ['ok', '! Uncaught: lost']],
    ['dies', ['dies! The test was pending.']],
    ['passes', ['all is > ok']],
  ])('reports a file that %s', (file, is) => {
    expect(reported.get(`${file}.test.ts`)).toEqual(is)
  })
})

describe('Playwright', () => {
  const imports =
    "import { expect, test } from '@playwright/test'\nconst { afterAll, describe } = test\n"
  const tool = '@playwright/test/cli.js'
  let reported: Map<string, string[]>

  beforeAll(async () => {
    const { breaksFirst: _, ...files } = FILES
    reported = await run(tool, ['test'], 'playwright-outcomes.ts', imports, files)
  })

  test.each([
    [
      'fails',
      [
        'ok',
        'fails! Error: expect(received).toBe(expected) // Object.is equality | Expected: "cat" | Received: "dog"',
      ],
    ],
    ['skips', ['ok', 'skips! The test was skipped.']],
    ['breaksLast', ['ok! Error: no end']],
    ['leaks', ['ok! Error: lost']],
    ['dies', ['dies! Error: worker process exited unexpectedly (code=null, signal=SIGKILL)']],
    ['passes', ['all is > ok']],
  ])('reports a file that %s', (file, is) => {
    expect(reported.get(`${file}.test.ts`)).toEqual(is)
  })

  test('reports a file that breaks before its tests', async () => {
    const { breaksFirst } = FILES

    const reported = await run(tool, ['test'], 'playwright-outcomes.ts', imports, { breaksFirst })

    expect(reported.get('')).toContain('! Error: no disk')
  })
})

describe('reports a test that fails only in the first run as flaky', () => {
  /** Fails unless a file exists, which it creates. */
  const FLAKY = `import { existsSync, writeFileSync } from 'node:fs'
    test('flaky', () => {
      const isSecondRun = existsSync('has-run')
      writeFileSync('has-run', '')
      expect(isSecondRun).toBe(true)
    })
    test('ok', () => {})`

  test.each([
    { runner: 'runVitest', imports: "import { expect, test } from 'vitest'\n" },
    { runner: 'runPlaywright', imports: "import { expect, test } from '@playwright/test'\n" },
  ])('with $runner', async ({ runner, imports }) => {
    const folder = await plant({ flaky: imports + FLAKY })
    const module = join(projectRoot, 'src/build/run-tests.ts')
    const code = `const { ${runner} } = await import(${JSON.stringify(module)})
      const outcomes = await ${runner}(${JSON.stringify(folder)}, [], process.env)
      console.log(JSON.stringify(outcomes))`

    const { stdout } = await execute(process.execPath, ['--input-type=module', '-e', code])

    const outcomes: Outcome[] = JSON.parse(stdout.trim().split('\n').at(-1) ?? '')
    const results = outcomes.filter(({ title }) => title !== '')
    expect(results.map(({ title, result }) => `${title} ${result}`)).toEqual([
      'flaky flaky',
      'ok passed',
    ])
  })
})

/** Runs the files and returns the outcomes of each: the title of a passed test, `title! reason` of a failed one. */
async function run(
  tool: string,
  args: string[],
  reporter: string,
  imports: string,
  files: Record<string, string>,
): Promise<Map<string, string[]>> {
  const texts = Object.entries(files).map(([name, code]) => [name, imports + code])
  const folder = await plant(Object.fromEntries(texts))
  const outcomesFile = join(folder, 'outcomes.json')
  const path = join(projectRoot, 'node_modules', tool)
  const all = [path, ...args, `--reporter=${join(projectRoot, 'src/build', reporter)}`]
  const env = { ...process.env, OUTCOMES_FILE: outcomesFile }
  await expect(execute(process.execPath, all, { cwd: folder, env })).rejects.toThrow()
  const reported = new Map<string, string[]>()
  const outcomes: Outcome[] = JSON.parse(await readFile(outcomesFile, 'utf8'))
  for (const { file, title, result, failure } of outcomes) {
    if (result === 'passed' && title === '') continue
    const line = result === 'passed' ? title : `${title}! ${failure}`
    reported.set(file, [...(reported.get(file) ?? []), line])
  }
  return reported
}

async function plant(files: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(join(root, 'run-'))
  for (const [name, code] of Object.entries(files))
    await writeFile(join(folder, `${name}.test.ts`), code)
  return folder
}
