import { expect, test } from 'vitest'
import {
  complete,
  countOutcomes,
  gist,
  nameOutcomes,
  type Outcome,
  withSecondTry,
} from './test-outcomes.ts'

const NO = 'expected a cat'
const passes = (title: string): Outcome => ({ file: 'a', title, passed: true, failure: '' })
const fails = (title: string): Outcome => ({ file: 'a', title, passed: false, failure: NO })

/** How all ended, in short: `one` passed, `one?` passed at one of two tries, `one!` failed. */
const inShort = (outcomes: readonly Outcome[]) =>
  outcomes.map(
    ({ title, passed, failure }) => `${title}${passed ? (failure === '' ? '' : '?') : '!'}`,
  )

test.each([
  { what: 'all passed', outcomes: [passes('one'), passes('two')], passed: 2, failed: 0 },
  { what: 'one failed', outcomes: [passes('one'), fails('two')], passed: 1, failed: 1 },
  { what: 'a file broke', outcomes: [passes('one'), fails('')], passed: 1, failed: 1 },
  { what: 'a file did not break', outcomes: [passes('one'), passes('')], passed: 1, failed: 0 },
])('$what: $passed passed and $failed failed', ({ outcomes, passed, failed }) => {
  expect(countOutcomes(outcomes)).toEqual({ passed, failed })
})

test.each([
  { what: 'succeeded', hasSucceeded: true, outcomes: [passes('one')], failed: 0 },
  { what: 'failed by a test', hasSucceeded: false, outcomes: [fails('one')], failed: 1 },
  { what: 'failed without one', hasSucceeded: false, outcomes: [passes('one')], failed: 1 },
  { what: 'ran nothing', hasSucceeded: true, outcomes: [], failed: 1 },
  { what: 'ran only empty files', hasSucceeded: true, outcomes: [passes('')], failed: 1 },
])('a suite that $what has $failed failed', ({ hasSucceeded, outcomes, failed }) => {
  expect(countOutcomes(complete(outcomes, hasSucceeded)).failed).toBe(failed)
})

test.each([
  { what: 'passed the second time', first: fails('one'), second: [passes('one')], is: ['one?'] },
  { what: 'failed again', first: fails('one'), second: [fails('one')], is: ['one!'] },
  { what: 'was not run again', first: fails('one'), second: [passes('two')], is: ['one!', 'two?'] },
  {
    what: 'has a namesake that failed',
    first: fails('one'),
    second: [passes('one'), fails('one')],
    is: ['one!'],
  },
  {
    what: 'passed the first time only',
    first: passes('one'),
    second: [fails('one')],
    is: ['one?'],
  },
  { what: 'passed both times', first: passes('one'), second: [passes('one')], is: ['one'] },
  {
    what: 'broke as a file, then ran',
    first: fails(''),
    second: [passes(''), passes('one')],
    is: ['?', 'one?'],
  },
  {
    what: 'broke as a file, then failed',
    first: fails(''),
    second: [passes(''), fails('one')],
    is: ['?', 'one!'],
  },
  { what: 'broke as a file again', first: fails(''), second: [fails('')], is: ['!'] },
])('what $what comes to $is', ({ first, second, is }) => {
  expect(inShort(withSecondTry([first], second))).toEqual(is)
})

test('a second run that broke as a whole counts as failed', () => {
  const broke = complete([], false)

  expect(countOutcomes(withSecondTry([fails('one')], broke)).failed).toBe(2)
})

test('what failed is named with its suite, file and reason, then what needed two tries', () => {
  const named = nameOutcomes([
    { name: 'unit', outcomes: [passes('one'), fails('two')] },
    { name: 'browser', outcomes: withSecondTry([fails('three')], [passes('three')]) },
  ])

  expect(named).toBe(`
Failed (1):
  unit | a | two
      ${NO}

Passed only at the second try (1):
  browser | a | three
      ${NO}
`)
})

test.each([
  { message: '\n  \u001b[31mexpected\u001b[39m a cat  \nat line 3', is: 'expected a cat' },
  {
    message: 'Error: no\n\nLocator: x\nExpected: 1\n...',
    is: 'Error: no | Locator: x | Expected: 1',
  },
  { message: '', is: 'It says no more.' },
])('the gist of $message is $is', ({ message, is }) => {
  expect(gist(message)).toBe(is)
})
