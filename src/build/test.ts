import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { buildPage } from './build-page.ts'
import { findOrInstallChromium } from './chromium.ts'
import { projectRoot } from './project-root.ts'
import { addCounts, complete, countPlaywright, countVitest, type TestCount } from './test-count.ts'

const reports = join(projectRoot, '.cache/test')
const vitestReport = join(reports, 'vitest.json')
const playwrightReport = join(reports, 'playwright.json')

const suites: { name: string; run: () => Promise<TestCount> }[] = [
  { name: 'types', run: async () => asOneTest(await run('typescript/bin/tsc', ['-b'])) },
  { name: 'lint', run: async () => asOneTest(await run('@biomejs/biome/bin/biome', ['check'])) },
  { name: 'walls, unit and integration', run: runVitest },
  { name: 'page', run: buildThePage },
  { name: 'browser', run: runPlaywright },
]

await rm(reports, { recursive: true, force: true })
await mkdir(reports, { recursive: true })
const counts: { name: string; count: TestCount }[] = []
for (const { name, run } of suites) {
  console.log(`\n── ${name}`)
  const startedAt = Date.now()
  const count = await run().catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error)
    return { passed: 0, failed: 1, shaky: 0 }
  })
  counts.push({ name, count })
  const seconds = ((Date.now() - startedAt) / 1000).toFixed(1)
  console.log(`── ${name}: ${count.passed} passed, ${count.failed} failed in ${seconds} s`)
}

const { passed, failed, shaky } = addCounts(counts.map(({ count }) => count))
const red = counts.filter(({ count }) => count.failed > 0).map(({ name }) => name)
if (red.length > 0) console.log(`\nFailed: ${red.join('; ')}`)
if (shaky > 0) console.log(`\n${shaky} passed only at the second try ("retry" and "flaky" above)`)
console.log(`\n${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1

async function runVitest(): Promise<TestCount> {
  const args = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${vitestReport}`]
  const hasSucceeded = await run('vitest/vitest.mjs', args)
  return complete(countVitest(await readJson(vitestReport)), hasSucceeded)
}

async function buildThePage(): Promise<TestCount> {
  await buildPage()
  return asOneTest(true)
}

async function runPlaywright(): Promise<TestCount> {
  const chromium = findOrInstallChromium()
  console.log(`Chromium: ${chromium.path} (${chromium.source})`)
  const hasSucceeded = await run(
    '@playwright/test/cli.js',
    ['test', '-c', 'e2e', '--reporter=list,json'],
    { CHROMIUM_PATH: chromium.path, PLAYWRIGHT_JSON_OUTPUT_FILE: playwrightReport },
  )
  return complete(countPlaywright(await readJson(playwrightReport)), hasSucceeded)
}

function asOneTest(hasPassed: boolean): TestCount {
  const [passed, failed] = hasPassed ? [1, 0] : [0, 1]
  return { passed, failed, shaky: 0 }
}

async function readJson<T>(path: string): Promise<T> {
  return JSON.parse(await readFile(path, 'utf8'))
}

/** Runs a tool of node_modules on this Node, its output going to the person. Answers whether it succeeded. */
async function run(tool: string, args: string[], env: NodeJS.ProcessEnv = {}): Promise<boolean> {
  const child = spawn(process.execPath, [join(projectRoot, 'node_modules', tool), ...args], {
    cwd: projectRoot,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const [code] = await once(child, 'exit')
  return code === 0
}
