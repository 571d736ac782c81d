import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { buildPage } from './build-page.ts'
import { findOrInstallChromium } from './chromium.ts'
import { projectRoot } from './project-root.ts'
import {
  broken,
  complete,
  countOutcomes,
  gist,
  isFailed,
  nameOutcomes,
  type Outcome,
  type Suite,
  withSecondTry,
} from './test-outcomes.ts'

/** Where more files than this fail, it is not by chance. */
const MAX_FILES_TRIED_AGAIN = 20

const reports = join(projectRoot, '.cache/test')

const suites: { name: string; run: () => Promise<readonly Outcome[]> }[] = [
  { name: 'types', run: async () => check('tsc -b', 'typescript/bin/tsc', ['-b']) },
  { name: 'lint', run: async () => check('biome check', '@biomejs/biome/bin/biome', ['check']) },
  { name: 'walls, unit and integration', run: runVitest },
  {
    name: 'page',
    run: () => buildPage().then(() => [asOneTest('vite build')]),
  },
  { name: 'browser', run: runPlaywright },
]

await rm(reports, { recursive: true, force: true })
await mkdir(reports, { recursive: true })
const ended: Suite[] = []
for (const { name, run } of suites) {
  console.log(`\n── ${name}`)
  const startedAt = Date.now()
  const outcomes = await run().catch((error: unknown) => {
    console.error(error)
    return [broken(gist(String(error)))]
  })
  ended.push({ name, outcomes })
  const { passed, failed } = countOutcomes(outcomes)
  const seconds = ((Date.now() - startedAt) / 1000).toFixed(1)
  console.log(`── ${name}: ${passed} passed, ${failed} failed in ${seconds} s`)
}

const { passed, failed } = countOutcomes(ended.flatMap((suite) => suite.outcomes))
console.log(nameOutcomes(ended))
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1

async function runVitest(): Promise<readonly Outcome[]> {
  const args = ['run', '--reporter=default', '--reporter=./src/build/vitest-outcomes.ts']
  const first = await runSuite('vitest/vitest.mjs', args)
  return trySecondTime(first, (files) =>
    runSuite('vitest/vitest.mjs', [...args, ...files, '--maxWorkers=1', '--retry=1']),
  )
}

async function runPlaywright(): Promise<readonly Outcome[]> {
  const chromium = findOrInstallChromium()
  console.log(`Chromium: ${chromium.path} (${chromium.source})`)
  const args = ['test', '-c', 'e2e', '--reporter=list,./src/build/playwright-outcomes.ts']
  const env = { CHROMIUM_PATH: chromium.path }
  const first = await runSuite('@playwright/test/cli.js', args, env)
  return trySecondTime(first, () =>
    runSuite(
      '@playwright/test/cli.js',
      [...args, '--last-failed', '--workers=1', '--retries=1'],
      env,
    ),
  )
}

/** What failed may have been starved by what ran beside it: it runs again, by itself, with one try more. */
async function trySecondTime(
  first: readonly Outcome[],
  runAgain: (files: string[]) => Promise<readonly Outcome[]>,
): Promise<readonly Outcome[]> {
  const files = new Set(first.filter(isFailed).map(({ file }) => file))
  files.delete('') // what no file is to blame for stays as it is
  if (files.size === 0 || files.size > MAX_FILES_TRIED_AGAIN) return first
  console.log(`\n── What failed, a second time and by itself`)
  return withSecondTry(first, await runAgain([...files]))
}

/** Runs a test runner with one of our reporters. */
async function runSuite(
  tool: string,
  args: string[],
  env: NodeJS.ProcessEnv = {},
): Promise<readonly Outcome[]> {
  const report = join(reports, 'outcomes.json')
  await rm(report, { force: true })
  const child = spawn(process.execPath, [pathOf(tool), ...args], {
    cwd: projectRoot,
    env: { ...process.env, ...env, OUTCOMES_FILE: report },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const [code] = await once(child, 'exit')
  return complete(JSON.parse(await readFile(report, 'utf8').catch(() => '[]')), code === 0)
}

/** Runs a check that is one test. */
function check(title: string, tool: string, args: string[]): readonly Outcome[] {
  const options = { cwd: projectRoot, encoding: 'utf8' } as const
  const { status, stdout, stderr } = spawnSync(process.execPath, [pathOf(tool), ...args], options)
  process.stdout.write(stdout + stderr)
  return [status === 0 ? asOneTest(title) : { ...broken(gist(stderr + stdout)), title }]
}

function asOneTest(title: string): Outcome {
  return { file: '', title, passed: true, failure: '' }
}

function pathOf(tool: string): string {
  return join(projectRoot, 'node_modules', tool)
}
