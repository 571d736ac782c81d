import { expect, test } from 'vitest'
import {
  complete,
  countOutcomes,
  gist,
  listSlowest,
  mergeSecondRun,
  type Outcome,
  summarize,
} from './test-outcomes.ts'

const FAILURE = 'expected a cat'
const passed = (title: string): Outcome => ({ file: 'a', title, result: 'passed', failure: '' })
const failed = (title: string): Outcome => ({
  file: 'a',
  title,
  result: 'failed',
  failure: FAILURE,
})
const flaky = (title: string): Outcome => ({ file: 'a', title, result: 'flaky', failure: FAILURE })

const summaryOf = (outcomes: readonly Outcome[], allowFlaky = 0) =>
  summarize([{ name: 'unit', outcomes }], { allowFlaky, howToRepeat: 'Repeat with FC_SEED=7.' })

test.each([
  { what: 'two passed tests', outcomes: [passed('one'), passed('two')], counts: [2, 0, 0] },
  { what: 'a failed test', outcomes: [passed('one'), failed('two')], counts: [1, 1, 0] },
  { what: 'a flaky test', outcomes: [passed('one'), flaky('two')], counts: [1, 0, 1] },
  { what: 'a file that failed', outcomes: [passed('one'), failed('')], counts: [1, 1, 0] },
  { what: 'a file that passed', outcomes: [passed('one'), passed('')], counts: [1, 0, 0] },
])('counts $what', ({ outcomes, counts: [passed, failed, flaky] }) => {
  expect(countOutcomes(outcomes)).toEqual({ passed, failed, flaky })
})

test.each([
  { what: 'succeeded', hasSucceeded: true, outcomes: [passed('one')], failures: 0 },
  { what: 'failed in a test', hasSucceeded: false, outcomes: [failed('one')], failures: 1 },
  { what: 'failed outside tests', hasSucceeded: false, outcomes: [passed('one')], failures: 1 },
  { what: 'ran nothing', hasSucceeded: true, outcomes: [], failures: 1 },
  { what: 'ran only empty files', hasSucceeded: true, outcomes: [passed('')], failures: 1 },
])('reports $failures failures for a suite that $what', ({ hasSucceeded, outcomes, failures }) => {
  expect(countOutcomes(complete(outcomes, hasSucceeded)).failed).toBe(failures)
})

test.each([
  { what: 'passes only', first: failed('one'), second: [passed('one')], is: ['flaky one'] },
  { what: 'also fails', first: failed('one'), second: [failed('one')], is: ['failed one'] },
  {
    what: 'does not run',
    first: failed('one'),
    second: [passed('two')],
    is: ['failed one', 'passed two'],
  },
  {
    what: 'shares its title with a failed one',
    first: failed('one'),
    second: [passed('one'), failed('one')],
    is: ['failed one'],
  },
  {
    what: 'fails only',
    first: passed('one'),
    second: [failed('one')],
    is: ['flaky one'],
  },
  { what: 'also passes', first: passed('one'), second: [passed('one')], is: ['passed one'] },
])('reports a test that $what in the second run as $is', ({ first, second, is }) => {
  const merged = mergeSecondRun([first], second)

  expect(merged.map(({ result, title }) => `${result} ${title}`)).toEqual(is)
})

test.each([
  { what: 'then loads', second: [passed(''), passed('one')], is: [1, 0, 1] },
  { what: 'then fails a test', second: [passed(''), failed('one')], is: [0, 1, 1] },
  { what: 'then fails to load again', second: [failed('')], is: [0, 1, 0] },
])(
  'counts a file once that failed to load and $what',
  ({ second, is: [passed, failures, flaky] }) => {
    const merged = mergeSecondRun([failed('')], second)

    expect(countOutcomes(merged)).toEqual({ passed, failed: failures, flaky })
  },
)

test('adds a failure if the second run fails as a whole', () => {
  const second = complete([], false)

  expect(countOutcomes(mergeSecondRun([failed('one')], second)).failed).toBe(2)
})

test('prints only the counts after a run without failures', () => {
  const { text, hasPassed } = summaryOf([passed('one'), passed('two')])

  expect(hasPassed).toBe(true)
  expect(text).toBe('2 passed, 0 failed')
})

test('fails with failed and flaky tests and lists their suite, file and reason', () => {
  const { text, hasPassed } = summaryOf([passed('one'), failed('two'), flaky('three')])

  expect(hasPassed).toBe(false)
  expect(text).toBe(`
Failed (1):
  unit | a | two
      ${FAILURE}

Flaky, counted as failed (1):
  unit | a | three
      ${FAILURE}

Repeat with FC_SEED=7.
1 passed, 2 failed`)
})

test('lists allowed flaky tests and passes', () => {
  const { text, hasPassed } = summaryOf([passed('one'), flaky('two'), flaky('three')], 2)

  expect(hasPassed).toBe(true)
  expect(text).toBe(`
Flaky, counted as passed (2):
  unit | a | two
      ${FAILURE}
  unit | a | three
      ${FAILURE}

Repeat with FC_SEED=7.
3 passed, 0 failed`)
})

test('fails with one flaky test more than allowed', () => {
  const { text, hasPassed } = summaryOf([flaky('one'), flaky('two'), flaky('three')], 2)

  expect(hasPassed).toBe(false)
  expect(text).toMatch(/\n0 passed, 3 failed$/)
})

test.each([
  { message: '\n  \u001b[31mexpected\u001b[39m a cat  \nat line 3', is: 'expected a cat' },
  {
    message: 'Error: no\n\nLocator: x\nExpected: 1\n...',
    is: 'Error: no | Locator: x | Expected: 1',
  },
  { message: '', is: 'No message.' },
])('summarizes $message as $is', ({ message, is }) => {
  expect(gist(message)).toBe(is)
})

test('lists the slowest files with the sum of their tests, and none that were not measured', () => {
  const took = (file: string, durationMs: number): Outcome => ({
    ...passed('one'),
    file,
    durationMs,
  })
  const outcomes = [took('a', 400), took('b', 1200), took('a', 1000), took('c', 9), passed('two')]

  expect(listSlowest({ name: 'unit', outcomes }, 2)).toBe(
    '\nSlowest files of unit:\n     1.4 s  a\n     1.2 s  b\n',
  )
  expect(listSlowest({ name: 'unit', outcomes: [passed('one')] }, 2)).toBe('')
})
