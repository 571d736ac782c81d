import { expect, test } from 'vitest'
import { addCounts, complete, countPlaywright, countVitest } from './test-count.ts'

const file = (status: string, ...tests: string[]) => ({
  status,
  assertionResults: tests.map((status) => ({
    status: status === 'shaky' ? 'passed' : status,
    failureMessages: status === 'passed' ? [] : ['no'],
  })),
})

interface Case {
  what: string
  files: ReturnType<typeof file>[]
  passed: number
  failed: number
  shaky?: number
}

test.each<Case>([
  { what: 'all passed', files: [file('passed', 'passed', 'passed')], passed: 2, failed: 0 },
  {
    what: 'one needed two tries',
    files: [file('passed', 'shaky')],
    passed: 1,
    failed: 0,
    shaky: 1,
  },
  { what: 'one failed', files: [file('failed', 'passed', 'failed')], passed: 1, failed: 1 },
  { what: 'one was skipped', files: [file('passed', 'passed', 'pending')], passed: 1, failed: 1 },
  { what: 'a file broke', files: [file('passed', 'passed'), file('failed')], passed: 1, failed: 1 },
  { what: 'nothing ran', files: [], passed: 0, failed: 1 },
])('Vitest: $what', ({ files, passed, failed, shaky = 0 }: Case) => {
  const tests = files.flatMap((file) => file.assertionResults)
  const report = {
    success: files.every((file) => file.status === 'passed'),
    numPassedTests: tests.filter((test) => test.status === 'passed').length,
    numTotalTests: tests.length,
    testResults: files,
  }

  expect(countVitest(report)).toEqual({ passed, failed, shaky })
})

test('a run that fails although every test passed has one failure', () => {
  const testResults = [file('passed', 'passed')]

  const count = countVitest({ success: false, numPassedTests: 1, numTotalTests: 1, testResults })

  expect(count).toEqual({ passed: 1, failed: 1, shaky: 0 })
})

test.each([
  { stats: { expected: 3, unexpected: 0, flaky: 0, skipped: 0 }, errors: [], failed: 0 },
  { stats: { expected: 2, unexpected: 1, flaky: 1, skipped: 1 }, errors: [], failed: 2 },
  { stats: { expected: 3, unexpected: 0, flaky: 0, skipped: 0 }, errors: ['no page'], failed: 1 },
])('Playwright: $stats and $errors make $failed failed', ({ stats, errors, failed }) => {
  expect(countPlaywright({ stats, errors })).toEqual({ passed: 3, failed, shaky: stats.flaky })
})

test('a suite that ran nothing failed, even if it says that it succeeded', () => {
  const none = { passed: 0, failed: 0, shaky: 0 }

  expect(complete(none, true)).toEqual({ ...none, failed: 1 })
})

test('suites add up', () => {
  const counts = [
    { passed: 1, failed: 0, shaky: 0 },
    { passed: 20, failed: 2, shaky: 1 },
  ]

  expect(addCounts(counts)).toEqual({ passed: 21, failed: 2, shaky: 1 })
})
