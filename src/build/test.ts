import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { freemem } from 'node:os'
import { basename, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { Command, InvalidArgumentError } from 'commander'
import { findOrInstallChromium, findOrInstallFirefox } from './browsers.ts'
import { buildPage } from './build-page.ts'
import { canFindLeftProcesses, killLeftProcesses, markedEnvironment } from './left-processes.ts'
import { projectRoot } from './project-root.ts'
import { choosePropertySeed } from './property-seed.ts'
import { runPlaywright, runVitest } from './run-tests.ts'
import { LONG_FILES } from './slow-files-first.ts'
import {
  countOutcomes,
  failedSuite,
  gist,
  LONG_TAG,
  listSlowest,
  type Outcome,
  type Suite,
  summarize,
} from './test-outcomes.ts'

/**
 * Linux keeps these files in memory. Tests write up to a gigabyte at a time, so that less free memory than
 * this is too little.
 */
const MEMORY_FOLDER = '/dev/shm'
const MIN_MEMORY_BYTES = 4 * 1024 ** 3

/** Number of files in the list of the slowest ones of a suite. */
const SLOWEST_COUNT = 10

const TSC_ARGS = ['-b', '--builders', '1']
/** TypeScript's compiler is a Go program that spends a fifth of its CPU on garbage collection otherwise. */
const RARE_GC = { GOGC: '400' }

/** How long processes may take to end after their suite. */
const PROCESS_GRACE_MS = 5_000

/** Browser tests with this tag need PostgreSQL and S3. */
const ENGINES_TAG = '@engines'

/** Vitest's option that leaves out tests with `LONG_TAG`. */
const NOT_LONG = `--testNamePattern=^(?!.*${LONG_TAG})`

interface Options {
  all: boolean
  allowFlaky: number
  quick: boolean
}

const { all, allowFlaky, quick } = new Command('npm test --')
  .description('Runs all checks and tests. The last line is "N passed, N failed".')
  .option('--quick', 'only types, lint, walls and unit tests', false)
  .option('--all', 'also run long tests and all rounds; fail if a server is missing', false)
  .option('--allow-flaky <count>', 'count up to this many flaky tests as passed', readCount, 0)
  .parse()
  .opts<Options>()

const runsLong = all && !quick

const seed = choosePropertySeed()
if (all) process.env.TEST_ALL = '1'
keepTemporaryFilesInMemory()

/** The steps of the run, in this order. Suites of one step run at the same time. */
const steps: { name: string; run: (env: NodeJS.ProcessEnv) => Promise<readonly Outcome[]> }[][] = [
  [
    {
      name: 'types',
      // One builder takes a tenth less CPU than four. The other suites of this step use the second core.
      run: (env) => runCheck(pathOf('typescript/bin/tsc'), TSC_ARGS, { ...env, ...RARE_GC }),
    },
    { name: 'lint', run: (env) => runCheck(pathOf('@biomejs/biome/bin/biome'), ['check'], env) },
    {
      name: 'prose',
      run: (env) => runCheck(join(projectRoot, 'src/build/check-prose.ts'), [], env),
    },
    ...(quick
      ? []
      : [
          { name: 'page', run: runPageBuild },
          ...(runsLong ? [{ name: 'engines', run: findEngines }] : []),
        ]),
  ],
  quick
    ? [
        {
          name: 'walls and unit',
          run: (env) => runVitest(projectRoot, ['--project=unit*', NOT_LONG], env),
        },
      ]
    : [{ name: 'walls, unit and integration', run: runAllVitest }],
  ...(quick ? [] : [[{ name: 'browser', run: runBrowserTests }]]),
  ...(runsLong ? [[{ name: 'long browser tests', run: runLongBrowserTests }]] : []),
  ...(runsLong ? [[{ name: 'firefox and cluster', run: runFirefoxAndCluster }]] : []),
]

/** A server that tests need and this machine lacks. */
interface MissingEngine {
  name: string
  /** Patterns of its test files. */
  suites: string[]
  remedy: string
}

let missingEngines: readonly MissingEngine[] = []

const suites: Suite[] = []
for (const step of steps) {
  suites.push(
    ...(await Promise.all(
      step.map(async ({ name, run }): Promise<Suite> => {
        console.log(`\n── ${name}`)
        const startedAt = Date.now()
        const outcomes = await runClean(run)
        const { passed, failed, flaky } = countOutcomes(outcomes)
        const counts = `${passed} passed, ${failed} failed, ${flaky} flaky`
        const seconds = ((Date.now() - startedAt) / 1000).toFixed(1)
        console.log(`── ${name}: ${counts} in ${seconds} s`)
        return { name, outcomes }
      }),
    )),
  )
}
if (!canFindLeftProcesses)
  console.log(`\nNot checked on ${process.platform}: whether a test left a process behind.`)

const howToRepeat = `Repeat the property tests of this run with FC_SEED=${seed}.`
for (const suite of suites) process.stdout.write(listSlowest(suite, SLOWEST_COUNT))
if (!all)
  console.log(
    '\nNot run: long tests, and tests with PostgreSQL, S3 and Redis. "npm test -- --all" runs them.',
  )
const summary = summarize(suites, { allowFlaky, howToRepeat })
console.log(summary.text)
process.exitCode = summary.hasPassed ? 0 : 1

/**
 * Moves temporary files to memory. Tests mostly wait for the disk: the server flushes each write, which takes
 * milliseconds on a disk and no time in memory. The calls are the same.
 */
function keepTemporaryFilesInMemory(): void {
  if (process.platform !== 'linux' || process.env.TMPDIR !== undefined) return
  const { bavail, bsize } = statfsSync(MEMORY_FOLDER)
  if (Math.min(bavail * bsize, freemem()) < MIN_MEMORY_BYTES) return
  const folder = mkdtempSync(join(MEMORY_FOLDER, 'tessera-tests-'))
  chmodSync(folder, 0o711) // PostgreSQL runs as another user, which must reach its own folder in it
  process.env.TMPDIR = folder
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))
}

/** Runs a suite, which fails if it throws or leaves a process behind. */
async function runClean(
  run: (env: NodeJS.ProcessEnv) => Promise<readonly Outcome[]>,
): Promise<readonly Outcome[]> {
  const mark = markedEnvironment()
  const outcomes = await run({ ...process.env, ...mark }).catch((error: unknown) => {
    console.error(error)
    return [failedSuite(gist(String(error)))]
  })
  const left = await killLeftProcesses(mark, PROCESS_GRACE_MS)
  return [
    ...outcomes,
    ...left.map(({ pid, command }) => failedSuite(`Left process ${pid} running: ${command}`)),
  ]
}

/** Finds the servers that tests need, or installs them. Counts as one test. */
async function findEngines(env: NodeJS.ProcessEnv): Promise<readonly Outcome[]> {
  const child = spawn(
    process.execPath,
    [join(projectRoot, 'src/testing/engines/find-engines.ts')],
    { cwd: projectRoot, env, stdio: ['ignore', 'pipe', 'inherit'] },
  )
  missingEngines = JSON.parse(await text(child.stdout))
  if (missingEngines.length === 0)
    return [{ file: '', title: 'find engines', result: 'passed', failure: '' }]
  return missingEngines.map(({ name, remedy }) => failedSuite(`${name} was not found (${remedy}).`))
}

function runAllVitest(env: NodeJS.ProcessEnv): Promise<readonly Outcome[]> {
  const excluded = runsLong ? missingEngines.flatMap(({ suites }) => suites) : LONG_FILES
  const args = excluded.map((files) => `--exclude=${files}`)
  return runVitest(projectRoot, runsLong ? args : ['--project=!engines', NOT_LONG, ...args], env)
}

/** Without the large libraries, two workers leave a quarter of two cores idle. */
function runBrowserTests(env: NodeJS.ProcessEnv): Promise<readonly Outcome[]> {
  const leftOut = runsLong ? without() : without(LONG_TAG)
  return runPlaywrightInChromium(['--project=browser', ...leftOut, '--workers=3'], env)
}

function runLongBrowserTests(env: NodeJS.ProcessEnv): Promise<readonly Outcome[]> {
  const projects = ['rig', 'long'].map((name) => `--project=${name}`)
  return runPlaywrightInChromium([...projects, ...without()], env)
}

/** The arguments that leave out tests with these tags, and those whose servers are missing. */
function without(...tags: string[]): string[] {
  const hasEngines = runsLong && missingEngines.length === 0
  const all = [...tags, ...(hasEngines ? [] : [ENGINES_TAG])]
  return all.length === 0 ? [] : [`--grep-invert=${all.join('|')}`]
}

/** The tests of the cluster mostly wait, so those of Firefox run next to them. */
async function runFirefoxAndCluster(env: NodeJS.ProcessEnv): Promise<readonly Outcome[]> {
  const path = findOrInstallFirefox()
  console.log(`Firefox: ${path}`)
  const projects = ['--project=firefox', '--project=cluster']
  return runPlaywrightInChromium(projects, { ...env, FIREFOX_PATH: path })
}

async function runPlaywrightInChromium(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<readonly Outcome[]> {
  const chromium = findOrInstallChromium()
  console.log(`Chromium: ${chromium.path} (${chromium.source})`)
  return runPlaywright(projectRoot, ['-c', 'e2e', ...args], {
    ...env,
    CHROMIUM_PATH: chromium.path,
    // Playwright caches compiled files in the temporary folder, which is new in each run.
    PWTEST_CACHE_DIR: join(projectRoot, '.cache/playwright'),
  })
}

/** Runs a tool that counts as one test, and prints its output when it ends. */
async function runCheck(
  script: string,
  args: string[],
  env: NodeJS.ProcessEnv,
): Promise<readonly Outcome[]> {
  const child = spawn(process.execPath, [script, ...args], {
    cwd: projectRoot,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const closed = once(child, 'close')
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  const [code] = await closed
  process.stdout.write(stdout + stderr)
  const title = [basename(script), ...args].join(' ')
  const result = code === 0 ? 'passed' : 'failed'
  return [{ file: '', title, result, failure: code === 0 ? '' : gist(stderr + stdout) }]
}

async function runPageBuild(): Promise<readonly Outcome[]> {
  await buildPage()
  return [{ file: '', title: 'vite build', result: 'passed', failure: '' }]
}

function pathOf(tool: string): string {
  return join(projectRoot, 'node_modules', tool)
}

function readCount(value: string): number {
  if (!/^\d{1,3}$/.test(value)) throw new InvalidArgumentError('It must be a number from 0 to 999.')
  return Number(value)
}
