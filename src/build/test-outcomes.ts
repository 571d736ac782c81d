import { stripVTControlCharacters } from 'node:util'

/**
 * Marks a test in its title that only `npm test -- --all` runs: a detail of a feature whose main path other
 * tests cover, or one that takes long.
 */
export const LONG_TAG = '@long'

/** The result of one test, or of a test file or a whole suite outside its tests. */
export interface Outcome {
  /** Relative to the project. Empty for the suite as a whole. */
  file: string
  /** Includes the titles of the groups around the test. Empty for anything outside a test. */
  title: string
  /** A flaky test failed in one of two runs and passed in the other. */
  result: 'passed' | 'failed' | 'flaky'
  /** A summary of the error. Empty if the test passed. */
  failure: string
  /** Of the test, or of the file with its tests if the runner reports files. */
  durationMs?: number
}

/** A part of `npm test` with its results. */
export interface Suite {
  name: string
  outcomes: readonly Outcome[]
}

/** The number of tests that passed, failed, or did both. */
export interface Counts {
  passed: number
  failed: number
  flaky: number
}

/** Merges a second run of the failed files into the first run. Files that did not run again keep their result. */
export function mergeSecondRun(first: readonly Outcome[], second: readonly Outcome[]): Outcome[] {
  const merged = first.map((outcome) => {
    const again = second.filter((other) => isSameTest(outcome, other))
    return again.length === 0 ? outcome : mergeRuns(outcome, again)
  })
  // A file that could not be loaded the first time lists its tests only now.
  return [...merged, ...second.filter((other) => !first.some((o) => isSameTest(o, other)))]
}

/** Merges the runs of a test. Tests may share a title, and if one of several failed again, it may be the same one. */
function mergeRuns(outcome: Outcome, again: readonly Outcome[]): Outcome {
  const failedAgain = again.find(isFailed)
  if (isFailed(outcome)) return failedAgain ? outcome : { ...outcome, result: 'flaky' }
  if (failedAgain === undefined) return outcome
  return { ...outcome, result: 'flaky', failure: `In the second run: ${failedAgain.failure}` }
}

function isSameTest(one: Outcome, other: Outcome): boolean {
  return one.file === other.file && one.title === other.title
}

/** Adds a failure to a suite that ran no test, or that ended with an error that no test explains. */
export function complete(outcomes: readonly Outcome[], hasSucceeded: boolean): readonly Outcome[] {
  if (outcomes.some(isFailed)) return outcomes
  if (!outcomes.some(isTest)) return [...outcomes, failedSuite('No test ran.')]
  if (hasSucceeded) return outcomes
  return [...outcomes, failedSuite('The test runner failed although all of its tests passed.')]
}

/** Creates a failure of a suite as a whole. */
export function failedSuite(failure: string): Outcome {
  return { file: '', title: '', result: 'failed', failure }
}

export function countOutcomes(outcomes: readonly Outcome[]): Counts {
  const count = (isCounted: (outcome: Outcome) => boolean) => outcomes.filter(isCounted).length
  return {
    passed: count((outcome) => outcome.result === 'passed' && isTest(outcome)),
    failed: count(isFailed),
    flaky: count(isFlaky),
  }
}

/** Options of the summary and of the verdict. */
export interface SummaryOptions {
  /** Up to this many flaky tests count as passed. If there are more, all of them count as failed. */
  allowFlaky: number
  /** Tells how to repeat the run. Printed only if something failed. */
  howToRepeat: string
}

/** Lists failed and flaky tests. The last line is always `N passed, N failed`. */
export function summarize(
  suites: readonly Suite[],
  { allowFlaky, howToRepeat }: SummaryOptions,
): { text: string; hasPassed: boolean } {
  const counts = countOutcomes(suites.flatMap((suite) => suite.outcomes))
  const isFlakyAllowed = counts.flaky <= allowFlaky
  const passed = counts.passed + (isFlakyAllowed ? counts.flaky : 0)
  const failed = counts.failed + (isFlakyAllowed ? 0 : counts.flaky)
  const verdict = isFlakyAllowed ? 'counted as passed' : 'counted as failed'
  const text = [
    list('Failed', suites, isFailed),
    list(`Flaky, ${verdict}`, suites, isFlaky),
    counts.failed + counts.flaky === 0 ? '' : `\n${howToRepeat}\n`,
    `${passed} passed, ${failed} failed`,
  ].join('')
  return { text, hasPassed: failed === 0 }
}

/** Lists the files that took longest. Files that ran at the same time slowed each other down. */
export function listSlowest({ name, outcomes }: Suite, count: number): string {
  const byFile = new Map<string, number>()
  for (const { file, durationMs = 0 } of outcomes)
    byFile.set(file, (byFile.get(file) ?? 0) + durationMs)
  const measured = [...byFile].filter(([file, ms]) => file !== '' && ms > 0)
  if (measured.length === 0) return ''
  const lines = measured
    .sort(([, one], [, other]) => other - one)
    .slice(0, count)
    .map(([file, ms]) => `  ${(ms / 1000).toFixed(1).padStart(6)} s  ${file}\n`)
  return `\nSlowest files of ${name}:\n${lines.join('')}`
}

function list(heading: string, suites: readonly Suite[], isListed: (o: Outcome) => boolean) {
  const entries = suites.flatMap(({ name, outcomes }) =>
    outcomes.filter(isListed).map(({ file, title, failure }) => {
      const path = [name, file, title].filter((part) => part !== '').join(' | ')
      return `  ${path}\n      ${failure}\n`
    }),
  )
  return entries.length === 0 ? '' : `\n${heading} (${entries.length}):\n${entries.join('')}`
}

/** Returns the first line of an error message, and the lines with the locator and the expected and actual value. */
export function gist(message: string): string {
  const lines = stripVTControlCharacters(message)
    .split('\n')
    .map((line) => line.trim())
  const [first = 'No message.', ...others] = lines.filter((line) => line !== '')
  const details = others.filter((line) => /^(Locator|Expected|Received)\b/.test(line))
  return [first, ...details].join(' | ')
}

export function isFailed({ result }: Outcome): boolean {
  return result === 'failed'
}

function isFlaky({ result }: Outcome): boolean {
  return result === 'flaky'
}

function isTest({ title }: Outcome): boolean {
  return title !== ''
}
