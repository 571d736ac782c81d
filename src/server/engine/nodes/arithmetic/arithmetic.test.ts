import { expect, test } from 'vitest'
import { outputOf } from '#testing/local-nodes.ts'

const MAX = Number.MAX_SAFE_INTEGER

test.each([
  ['add', { a: 2, b: -5 }, -3],
  ['sub', { a: 2, b: -5 }, 7],
  ['mul', { a: 94906265, b: 94906265 }, 94906265 ** 2],
  ['div', { a: 7, b: 2 }, 3],
  ['div', { a: -7, b: 2 }, -3],
  ['integer_math', { operation: 'ADD', a: 2, b: 3 }, 5],
  ['integer_math', { operation: 'SUB', a: 2, b: 3 }, -1],
  ['integer_math', { operation: 'MUL', a: 2, b: 3 }, 6],
  ['integer_math', { operation: 'DIV', a: -7, b: 2 }, -3],
  ['integer_math', { operation: 'EXP', a: -2, b: 3 }, -8],
  ['integer_math', { operation: 'EXP', a: -1, b: 1_000_000_001 }, -1],
  ['integer_math', { operation: 'EXP', a: 0, b: 0 }, 1],
  ['integer_math', { operation: 'MOD', a: -7, b: 3 }, 2],
  ['integer_math', { operation: 'MOD', a: 7, b: -3 }, -2],
  ['integer_math', { operation: 'ABS', a: -7 }, 7],
  ['integer_math', { operation: 'MIN', a: 2, b: 3 }, 2],
  ['integer_math', { operation: 'MAX', a: 2, b: 3 }, 3],
  ['float_math', { operation: 'ADD', a: 0.1, b: 0.2 }, 0.1 + 0.2],
  ['float_math', { operation: 'SUB', a: 1, b: 0.5 }, 0.5],
  ['float_math', { operation: 'MUL', a: 3, b: 0.5 }, 1.5],
  ['float_math', { operation: 'DIV', a: -7, b: 2 }, -3.5],
  ['float_math', { operation: 'EXP', a: 2, b: -1 }, 0.5],
  ['float_math', { operation: 'ABS', a: -1.5 }, 1.5],
  ['float_math', { operation: 'SQRT', a: 2.25 }, 1.5],
  ['float_math', { operation: 'MIN', a: 2.5, b: 3 }, 2.5],
  ['float_math', { operation: 'MAX', a: 2.5, b: 3 }, 3],
  ['float_to_int', { value: 2.5 }, 2],
  ['float_to_int', { value: 3.5 }, 4],
  ['float_to_int', { value: -2.5 }, -2],
  ['float_to_int', { value: 13, multiple: 8 }, 16],
  ['float_to_int', { value: 12, multiple: 8 }, 16],
  ['float_to_int', { value: 20, multiple: 8 }, 16],
  ['float_to_int', { value: -1.5, method: 'Floor' }, -2],
  ['float_to_int', { value: -1.5, method: 'Ceiling' }, -1],
  ['float_to_int', { value: -1.5, method: 'Truncate' }, -1],
  ['float_to_int', { value: -0.2 }, 0],
  ['round_float', { value: 2.675, decimals: 2 }, 2.67],
  ['round_float', { value: 0.125, decimals: 2 }, 0.12],
  ['round_float', { value: 0.375, decimals: 2 }, 0.38],
  ['round_float', { value: 2.5 }, 2],
  ['round_float', { value: -3.5 }, -4],
  ['round_float', { value: 1.005, decimals: 2 }, 1],
  ['round_float', { value: 1234.5, decimals: -2 }, 1200],
  ['round_float', { value: 1e300, decimals: 3 }, 1e300],
  ['round_float', { value: 0.1, decimals: 30 }, 0.1],
])('%s of %j is %d', async (type, inputs, value) => {
  expect((await outputOf(type, inputs)).value).toBe(value)
})

test.each([
  ['div', { a: 1, b: 0 }, 'division by zero'],
  ['mul', { a: MAX, b: 2 }, 'beyond 2^53 - 1'],
  ['integer_math', { operation: 'EXP', a: 10, b: 1_000_000 }, 'beyond 2^53 - 1'],
  ['integer_math', { operation: 'MOD', b: 0 }, 'Cannot divide by zero'],
  ['integer_math', { operation: 'EXP', b: -1 }, 'not an integer'],
  ['float_math', { operation: 'DIV', b: 0 }, 'Cannot divide by zero'],
  ['float_math', { operation: 'EXP', a: 0, b: -1 }, 'Cannot raise zero'],
  ['float_math', { operation: 'EXP', a: -1, b: 0.5 }, 'complex number'],
  ['rand_int', { low: 3, high: 3 }, 'low >= high'],
])('%s refuses %j: %s', async (type, inputs, message) => {
  await expect(outputOf(type, inputs)).rejects.toThrow(message)
})

test('returns random numbers within the requested range', async () => {
  for (let times = 0; times < 50; times += 1) {
    const whole = (await outputOf('rand_int', { low: -2, high: 1 })).value
    const broken = Number((await outputOf('rand_float', { low: 1, high: 2, decimals: 1 })).value)

    expect([-2, -1, 0]).toContain(whole)
    expect(broken).toBeGreaterThanOrEqual(1)
    expect(broken).toBeLessThanOrEqual(2)
    expect(broken).toBe(Number(broken.toFixed(1)))
  }
})
