import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'
import { failedSuite, gist, isFailed, LONG_TAG, type Outcome } from './test-outcomes.ts'

type TestRunEnd = NonNullable<Reporter['onTestRunEnd']>

/**
 * A Vitest reporter that writes the outcome of each test and file to the path in `OUTCOMES_FILE`. (Vitest's
 * JSON reporter omits uncaught errors outside of tests.)
 */
// biome-ignore lint/style/noDefaultExport: Vitest loads a reporter from the default export.
export default class VitestOutcomes implements Reporter {
  onTestRunEnd: TestRunEnd = (modules, unhandledErrors) => {
    const outcomes = [
      ...modules.flatMap(outcomesOf),
      ...unhandledErrors.map((error) => {
        const path = error.VITEST_TEST_PATH
        const file = typeof path === 'string' ? inProject(path) : ''
        return { ...failedSuite(`Uncaught: ${gist(error.message)}`), file }
      }),
    ]
    writeFileSync(process.env.OUTCOMES_FILE ?? '', JSON.stringify(outcomes))
  }
}

function outcomesOf(module: TestModule): Outcome[] {
  const file = inProject(module.moduleId)
  const wasRun = [...module.children.allTests()].filter(
    (test) => test.result().state !== 'skipped' || !test.fullName.includes(LONG_TAG),
  )
  if (wasRun.length === 0 && module.state() === 'skipped') return []
  const tests = wasRun.map((test): Outcome => {
    const { state, errors } = test.result()
    if (state === 'passed') return { file, title: test.fullName, result: 'passed', failure: '' }
    const failure = gist(errors?.[0]?.message ?? `The test was ${state}.`)
    return { file, title: test.fullName, result: 'failed', failure }
  })
  const { collectDuration, duration } = module.diagnostic()
  const durationMs = collectDuration + duration
  return [{ ...outcomeOfFile(module, file, tests), durationMs }, ...tests]
}

/** Reports a file as failed if an error is thrown while it loads, or in a hook around its tests. */
function outcomeOfFile(module: TestModule, file: string, tests: readonly Outcome[]): Outcome {
  const [error] = module.errors()
  const isExplained = module.state() === 'passed' || tests.some(isFailed)
  if (error === undefined && isExplained) return { file, title: '', result: 'passed', failure: '' }
  const failure = gist(error?.message ?? `The file was ${module.state()}.`)
  return { file, title: '', result: 'failed', failure }
}

function inProject(path: string): string {
  return relative(process.cwd(), path)
}
