import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'
import { broken, gist, type Outcome } from './test-outcomes.ts'

type TestRunEnd = NonNullable<Reporter['onTestRunEnd']>

/**
 * A reporter of Vitest that writes how each test and each file ended to the path in `OUTCOMES_FILE`.
 * (Its own JSON report is silent about errors that no test caught.)
 */
// biome-ignore lint/style/noDefaultExport: Vitest takes a reporter by its module.
export default class VitestOutcomes implements Reporter {
  onTestRunEnd: TestRunEnd = (modules, unhandledErrors) => {
    const outcomes = [
      ...modules.flatMap(outcomesOf),
      ...unhandledErrors.map((error) => {
        const path = error.VITEST_TEST_PATH
        const file = typeof path === 'string' ? inProject(path) : ''
        return { ...broken(`Nobody caught: ${gist(error.message)}`), file }
      }),
    ]
    writeFileSync(process.env.OUTCOMES_FILE ?? '', JSON.stringify(outcomes))
  }
}

function outcomesOf(module: TestModule): Outcome[] {
  const file = inProject(module.moduleId)
  const tests = [...module.children.allTests()].map((test) => {
    const { state, errors } = test.result()
    const passed = state === 'passed'
    const failure = errors?.[0]?.message ?? (passed ? '' : `It was ${state}.`)
    return { file, title: test.fullName, passed, failure: failure && gist(failure) }
  })
  return [fileItself(module, file, tests), ...tests]
}

/** A file fails by itself where it breaks before, between or after its tests. */
function fileItself(module: TestModule, file: string, tests: readonly Outcome[]): Outcome {
  const [error] = module.errors()
  const isExplained = module.state() === 'passed' || tests.some((test) => !test.passed)
  if (error === undefined && isExplained) return { file, title: '', passed: true, failure: '' }
  const failure = gist(error?.message ?? `It was ${module.state()}.`)
  return { file, title: '', passed: false, failure }
}

function inProject(path: string): string {
  return relative(process.cwd(), path)
}
