import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { projectRoot } from './project-root.ts'
import { complete, isFailed, mergeSecondRun, type Outcome } from './test-outcomes.ts'

/** If more files than this fail, the cause is not chance and a second run would only take time. */
const MAX_FILES_TO_REPEAT = 20

/** Runs the tests of a folder, and failed files a second time. A test that passes then is flaky. */
export function runVitest(
  folder: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<readonly Outcome[]> {
  const run = (...more: string[]) => {
    const all = [
      'run',
      ...args,
      '--reporter=default',
      `--reporter=${reporter('vitest-outcomes')}`,
      ...more,
    ]
    return runTests('vitest/vitest.mjs', folder, all, env)
  }
  return runTwice(run, (files) => run(...files, '--maxWorkers=1'))
}

/** Runs the browser tests of a folder, and failed ones a second time. A test that passes then is flaky. */
export function runPlaywright(
  folder: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<readonly Outcome[]> {
  const run = (...more: string[]) => {
    const all = ['test', ...args, `--reporter=list,${reporter('playwright-outcomes')}`, ...more]
    return runTests('@playwright/test/cli.js', folder, all, env)
  }
  return runTwice(run, () => run('--last-failed', '--workers=1', '--trace=on'))
}

/** Repeats failed files without other files running in parallel. */
async function runTwice(
  run: () => Promise<readonly Outcome[]>,
  runAgain: (files: string[]) => Promise<readonly Outcome[]>,
): Promise<readonly Outcome[]> {
  const first = await run()
  const files = new Set(first.filter(isFailed).map(({ file }) => file))
  files.delete('') // a failure of the whole suite has no file to repeat
  if (files.size === 0 || files.size > MAX_FILES_TO_REPEAT) return first
  console.log('\n── Second run of failed files')
  return mergeSecondRun(first, await runAgain([...files]))
}

/** Runs a test runner in a folder. The arguments include the reporter. */
async function runTests(
  tool: string,
  folder: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<readonly Outcome[]> {
  const reports = await mkdtemp(join(tmpdir(), 'tessera-outcomes-'))
  const report = join(reports, 'outcomes.json')
  const child = spawn(process.execPath, [join(projectRoot, 'node_modules', tool), ...args], {
    cwd: folder,
    env: { ...env, OUTCOMES_FILE: report },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const [code] = await once(child, 'exit')
  const outcomes = JSON.parse(await readFile(report, 'utf8').catch(() => '[]'))
  await rm(reports, { recursive: true })
  return complete(outcomes, code === 0)
}

const reporter = (name: string) => join(projectRoot, `src/build/${name}.ts`)
