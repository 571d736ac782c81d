/** How many tests of a suite passed and failed. What did not run at all counts as failed. */
export interface TestCount {
  passed: number
  failed: number
  /** Of those that passed: how many did so only at the second try. */
  shaky: number
}

/** What is read of Vitest's JSON report. */
export interface VitestReport {
  success: boolean
  numPassedTests: number
  numTotalTests: number
  testResults: {
    status: string
    assertionResults: { status: string; failureMessages: string[] }[]
  }[]
}

/** What is read of Playwright's JSON report. */
export interface PlaywrightReport {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number }
  errors: unknown[]
}

/**
 * A test that was skipped did not pass, so it failed; so did a file that broke before its first test,
 * and a run that says it failed although every test passed (an error outside all tests).
 */
export function countVitest(report: VitestReport): TestCount {
  const brokenFiles = report.testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.every((t) => t.status === 'passed'),
  )
  const failed = report.numTotalTests - report.numPassedTests + brokenFiles.length
  const shaky = report.testResults
    .flatMap((file) => file.assertionResults)
    .filter((test) => test.status === 'passed' && test.failureMessages.length > 0).length
  return complete({ passed: report.numPassedTests, failed, shaky }, report.success)
}

/** A test that was skipped did not pass, so it failed. */
export function countPlaywright({ stats, errors }: PlaywrightReport): TestCount {
  const { expected, unexpected, flaky: shaky, skipped } = stats
  const count = { passed: expected + shaky, failed: unexpected + skipped, shaky }
  return complete(count, errors.length === 0)
}

/** The sum of several suites. */
export function addCounts(counts: readonly TestCount[]): TestCount {
  return {
    passed: counts.reduce((sum, count) => sum + count.passed, 0),
    failed: counts.reduce((sum, count) => sum + count.failed, 0),
    shaky: counts.reduce((sum, count) => sum + count.shaky, 0),
  }
}

/** A suite that failed as a whole, or that ran nothing, has at least one failure. */
export function complete(count: TestCount, hasSucceeded: boolean): TestCount {
  const isEmpty = count.passed + count.failed === 0
  const mustFail = (!hasSucceeded || isEmpty) && count.failed === 0
  return mustFail ? { ...count, failed: 1 } : count
}
