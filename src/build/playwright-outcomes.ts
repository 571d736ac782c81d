import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import type { FullConfig, Reporter, Suite, TestCase, TestError } from '@playwright/test/reporter'
import { broken, gist, type Outcome } from './test-outcomes.ts'

/** A reporter of Playwright that writes how each test ended to the path in `OUTCOMES_FILE`. */
// biome-ignore lint/style/noDefaultExport: Playwright takes a reporter by its module.
export default class PlaywrightOutcomes implements Reporter {
  #suite: Suite | null = null
  readonly #errors: Outcome[] = []

  onBegin(_: FullConfig, suite: Suite): void {
    this.#suite = suite
  }

  /** What went wrong outside all tests. */
  onError(error: TestError): void {
    this.#errors.push(broken(gist(error.message ?? '')))
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
  const passed = outcome === 'expected' || outcome === 'flaky'
  const errors = test.results.flatMap((result) => result.errors)
  const failure = errors.map((error) => gist(error.message ?? '')).join(' ')
  const [, , , ...titles] = test.titlePath() // after the suite, the project and the file
  return {
    file: relative(process.cwd(), test.location.file),
    title: titles.join(' > '),
    passed,
    failure: failure || (passed ? '' : `It was ${outcome}.`),
  }
}
