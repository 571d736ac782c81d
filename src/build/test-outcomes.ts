import { stripVTControlCharacters } from 'node:util'

/** How one test ended; or, where it has no title, a test file or a whole suite, outside its tests. */
export interface Outcome {
  /** Relative to the project. Empty: the suite as a whole. */
  file: string
  /** With the titles around it. Empty: what happened outside all tests. */
  title: string
  passed: boolean
  /** The gist of what was wrong. Of a test that passed: of its other try. Empty if nothing was. */
  failure: string
}

/** A part of `npm test`, and how everything in it ended. */
export interface Suite {
  name: string
  outcomes: readonly Outcome[]
}

/**
 * What counts after the files that failed have run a second time, by themselves: who passed in one of
 * the two runs passed. What the second run did not repeat stays as it was.
 */
export function withSecondTry(first: readonly Outcome[], second: readonly Outcome[]): Outcome[] {
  const tried = first.map((outcome) => {
    const again = second.filter((other) => areOfOneTest(outcome, other))
    return again.length === 0 ? outcome : better(outcome, again)
  })
  const onlySecond = second.filter((other) => !first.some((o) => areOfOneTest(o, other)))
  return [...tried, ...onlySecond.map(asSecondTry)]
}

/** Of several tests of one name it is not known which is which, so all of them must have passed. */
function better(outcome: Outcome, again: readonly Outcome[]): Outcome {
  const failed = again.find((other) => !other.passed)
  if (!outcome.passed) return { ...outcome, passed: failed === undefined }
  return failed === undefined ? outcome : { ...outcome, failure: `Then alone: ${failed.failure}` }
}

/** A test of a file that broke before its tests, the first time. */
function asSecondTry(outcome: Outcome): Outcome {
  return { ...outcome, failure: outcome.failure || 'It did not run at the first try.' }
}

function areOfOneTest(one: Outcome, other: Outcome): boolean {
  return one.file === other.file && one.title === other.title
}

/** A suite that failed as a whole although nothing in it did, or that ran nothing, has one failure. */
export function complete(outcomes: readonly Outcome[], hasSucceeded: boolean): readonly Outcome[] {
  if (outcomes.some(isFailed)) return outcomes
  if (!outcomes.some(isTest)) return [...outcomes, broken('It ran nothing.')]
  if (hasSucceeded) return outcomes
  return [...outcomes, broken('It ended with an error although all of its tests passed.')]
}

/** A suite that could not do its work. */
export function broken(failure: string): Outcome {
  return { file: '', title: '', passed: false, failure }
}

export function countOutcomes(outcomes: readonly Outcome[]): { passed: number; failed: number } {
  return {
    passed: outcomes.filter((outcome) => outcome.passed && isTest(outcome)).length,
    failed: outcomes.filter(isFailed).length,
  }
}

/** What failed, then what passed only in one of two tries, two lines each. Empty if there is neither. */
export function nameOutcomes(suites: readonly Suite[]): string {
  const isShaky = ({ passed, failure }: Outcome) => passed && failure !== ''
  return (
    listed('Failed', suites, isFailed) + listed('Passed only at the second try', suites, isShaky)
  )
}

function listed(
  heading: string,
  suites: readonly Suite[],
  isNamed: (o: Outcome) => boolean,
): string {
  const named = suites.flatMap(({ name, outcomes }) =>
    outcomes.filter(isNamed).map(({ file, title, failure }) => {
      const where = [name, file, title].filter((part) => part !== '').join(' | ')
      return `  ${where}\n      ${failure}\n`
    }),
  )
  return named.length === 0 ? '' : `\n${heading} (${named.length}):\n${named.join('')}`
}

/** Of what a runner says of a failure: its first line, and what was expected of what. */
export function gist(message: string): string {
  const lines = stripVTControlCharacters(message)
    .split('\n')
    .map((line) => line.trim())
  const [first = 'It says no more.', ...others] = lines.filter((line) => line !== '')
  const telling = others.filter((line) => /^(Locator|Expected|Received)\b/.test(line))
  return [first, ...telling].join(' | ')
}

export function isFailed(outcome: Outcome): boolean {
  return !outcome.passed
}

function isTest(outcome: Outcome): boolean {
  return outcome.title !== ''
}
