import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import type { FullConfig, Reporter, Suite, TestCase, TestError } from '@playwright/test/reporter'
import { failedSuite, gist, type Outcome } from './test-outcomes.ts'

/** A Playwright reporter that writes the outcome of each test to the path in `OUTCOMES_FILE`. */
// biome-ignore lint/style/noDefaultExport: Playwright loads a reporter from the default export.
export default class PlaywrightOutcomes implements Reporter {
  #suite: Suite | null = null
  readonly #errors: Outcome[] = []

  onBegin(_: FullConfig, suite: Suite): void {
    this.#suite = suite
  }

  /** Records an error outside all tests. */
  onError(error: TestError): void {
    this.#errors.push(failedSuite(gist(error.message ?? '')))
  }

  onEnd(): void {
    const outcomes = [...this.#errors, ...(this.#suite?.allTests() ?? []).map(outcomeOf)]
    writeFileSync(process.env.OUTCOMES_FILE ?? '', JSON.stringify(outcomes))
  }

  printsToStdio(): boolean {
    return false
  }
}

function outcomeOf(test: TestCase): Outcome {
  const outcome = test.outcome()
  const [, , , ...titles] = test.titlePath() // after the suite, the project and the file
  const file = relative(process.cwd(), test.location.file)
  const title = titles.join(' > ')
  const durationMs = test.results.reduce((sum, { duration }) => sum + duration, 0)
  if (outcome === 'expected') return { file, title, result: 'passed', failure: '', durationMs }
  const errors = test.results.flatMap((result) => result.errors)
  const failure = errors.map((error) => gist(error.message ?? '')).join(' ')
  const result = outcome === 'flaky' ? 'flaky' : 'failed'
  return { file, title, result, failure: failure || `The test was ${outcome}.`, durationMs }
}
