import { expect, test } from 'vitest'
import { FaultList } from './fault-list.ts'
import { type Mode, readValue } from './read-value.ts'
import type { ValueSchema } from './value-schema.ts'

const read = (schema: ValueSchema, input: unknown, mode: Mode) => {
  const found = new FaultList()
  const value = readValue(schema, input, ['body', 'x'], mode, found)
  return found.all[0]?.type ?? value
}

const choice = { enum: ['a', 'b'] }
const union = { anyOf: [{ type: 'string' }, { type: 'number' }] }

test.each<[string, ValueSchema, unknown, unknown, unknown]>([
  ['a number as a string', { type: 'string' }, 1.5, 'string_type', '1.5'],
  ['NUL in a string', { type: 'string' }, 'a\0', 'value_error', 'a\0'],
  ['a text as a number', { type: 'number' }, '1.5', 'float_type', 1.5],
  ['infinity', { type: 'number' }, Infinity, Infinity, 'finite_number'],
  ['infinity without a schema', {}, Infinity, Infinity, 'finite_number'],
  ['an integer with separators', { type: 'integer' }, '1_000', 1000, 'int_parsing'],
  ['a too large integer', { type: 'integer' }, 1e300, 'int_from_float', 'int_parsing_size'],
  ['an unknown choice', choice, 'c', 'enum', 'literal_error'],
  ['a list as an object', { type: 'object' }, [], 'model_attributes_type', 'dict_type'],
  ['null for a union without null', union, null, null, 'string_type'],
])('reads %s in a request and in a graph', (_name, schema, input, inRequest, inGraph) => {
  expect(read(schema, input, 'lax')).toEqual(inRequest)
  expect(read(schema, input, 'graph')).toEqual(inGraph)
})

test('a fault repeats the input as it was sent, if it is short', () => {
  const found = new FaultList()
  readValue({ type: 'integer', minimum: 1 }, '0', ['body', 'n'], 'graph', found)
  readValue({ type: 'string' }, ['x'.repeat(9_000)], ['body', 's'], 'graph', found)

  expect(found.all).toMatchObject([{ loc: ['body', 'n'], input: '0' }, { loc: ['body', 's'] }])
  expect(found.all[1]).not.toHaveProperty('input')
})
