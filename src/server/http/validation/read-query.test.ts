import Type, { type TSchema } from 'typebox'
import { expect, test } from 'vitest'
import { ImageCategory } from '#contract/image.ts'
import { FaultList } from '#server/core/validation/fault-list.ts'
import { readQuery } from './read-query.ts'

const schema = Type.Object({
  all: Type.Optional(Type.Boolean()),
  limit: Type.Optional(Type.Integer({ minimum: 0, maximum: 1000, default: 10 })),
  size: Type.Optional(Type.Integer({ enum: [384, 768] })),
  categories: Type.Optional(Type.Array(ImageCategory)),
  name: Type.Optional(Type.String({ maxLength: 3 })),
})

const read = (query: Record<string, string | string[]>, of: TSchema = schema) => {
  const found = new FaultList()
  return { values: readQuery(of, query, found), faults: found.all }
}

test.each([
  ...['true', 'True', 'TRUE', '1', 't', 'yes', 'Y', 'on'].map((text) => [text, true] as const),
  ...['false', 'False', '0', 'f', 'NO', 'n', 'off'].map((text) => [text, false] as const),
])('reads %s as the boolean %s', (text, value) => {
  expect(read({ all: text })).toEqual({ values: { all: value, limit: 10 }, faults: [] })
})

test.each([
  ['3', 3],
  [' 3 ', 3],
  ['+3', 3],
  ['1_000', 1000],
  ['3.0', 3],
])('reads %j as an integer', (text, value) => {
  expect(read({ limit: text }).values).toEqual({ limit: value })
})

test.each([
  [{ all: 'maybe' }, 'bool_parsing', ['query', 'all'], undefined],
  [{ all: '' }, 'bool_parsing', ['query', 'all'], undefined],
  [{ limit: '1.5' }, 'int_parsing', ['query', 'limit'], undefined],
  [{ limit: '9'.repeat(20) }, 'int_parsing', ['query', 'limit'], undefined],
  [{ limit: '-1' }, 'greater_than_equal', ['query', 'limit'], { ge: 0 }],
  [{ limit: '1001' }, 'less_than_equal', ['query', 'limit'], { le: 1000 }],
  [{ size: '5' }, 'enum', ['query', 'size'], { expected: '384 or 768' }],
  [
    { categories: ['user', 'USER'] },
    'enum',
    ['query', 'categories', 1],
    { expected: "'general', 'mask', 'control', 'user' or 'other'" },
  ],
  [{ name: 'abcd' }, 'string_too_long', ['query', 'name'], { max_length: 3 }],
  [{ name: 'a\0' }, 'value_error', ['query', 'name'], { error: {} }],
])('reports for %j the fault %s', (query, type, loc, ctx) => {
  const { faults } = read(query)

  expect(faults).toHaveLength(1)
  expect(faults[0]).toMatchObject({ type, loc, ...(ctx && { ctx }) })
})

test('reads repeated keys as an array, or the last one as a value', () => {
  expect(read({ categories: ['user', 'mask'], limit: ['1', '2'] }).values).toEqual({
    categories: ['user', 'mask'],
    limit: 2,
  })
  expect(read({ categories: 'user' }).values).toMatchObject({ categories: ['user'] })
})

test('ignores unknown keys and reports a missing one', () => {
  const required = Type.Object({ board_name: Type.String() })

  expect(read({ other: 'x' }, required)).toEqual({
    values: {},
    faults: [{ type: 'missing', loc: ['query', 'board_name'], msg: 'Field required', input: null }],
  })
})

test('counts an emoji as one character', () => {
  expect(read({ name: '🦊🦊🦊' }).faults).toEqual([])
})
