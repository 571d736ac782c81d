import { expect, test } from 'vitest'
import { BoardChanges } from '#contract/board.ts'
import { ImageChanges } from '#contract/image.ts'
import { starImages } from '#contract/image-operations.ts'
import { trashBoard } from '#contract/trash-operations.ts'
import { FaultList } from '#server/core/validation/fault-list.ts'
import type { Mode } from '#server/core/validation/read-value.ts'
import { readBody } from './read-body.ts'

const read = (schema: object, body: unknown, mode: Mode = 'lax') => {
  const found = new FaultList()
  const values = readBody(schema, body, { isRequired: true, mode }, found)
  return { values, faults: found.all }
}

test.each([
  [starImages.body, undefined, 'missing', ['body']],
  [ImageChanges, null, 'missing', ['body']],
  [starImages.body, 'text', 'model_attributes_type', ['body']],
  [starImages.body, ['a'], 'model_attributes_type', ['body']],
  [starImages.body, {}, 'missing', ['body', 'image_names']],
  [starImages.body, { image_names: 'a' }, 'list_type', ['body', 'image_names']],
  [starImages.body, { image_names: ['a', 1] }, 'string_type', ['body', 'image_names', 1]],
  [BoardChanges, { nonsense: 1 }, 'extra_forbidden', ['body', 'nonsense']],
  [BoardChanges, { archived: 'perhaps' }, 'bool_parsing', ['body', 'archived']],
  [BoardChanges, { archived: [] }, 'bool_type', ['body', 'archived']],
  [BoardChanges, { board_visibility: 'PRIVATE' }, 'enum', ['body', 'board_visibility']],
])('%#: refuses a body with %3$s', (schema, body, type, loc) => {
  expect(read(schema, body).faults).toMatchObject([{ type, loc }])
})

test.each([
  ['yes', true],
  [1, true],
  ['off', false],
])('coerces %j', (archived, value) => {
  expect(read(BoardChanges, { archived })).toEqual({ values: { archived: value }, faults: [] })
})

test.each([
  [{ starred: 'yes' }, 'bool_type'],
  [{ starred: 1 }, 'bool_type'],
  [{ session_id: 3 }, 'string_type'],
])('does not coerce %j in strict mode', (body, type) => {
  expect(read(ImageChanges, body, 'strict').faults).toMatchObject([{ type }])
})

test('accepts null for a nullable key, ignores unknown keys and fills in defaults', () => {
  expect(read(ImageChanges, { starred: null, board_id: 'x' }).values).toEqual({ starred: null })
  expect(read(trashBoard.body, { board_id: 'x' }).values).toEqual({
    board_id: 'x',
    include_images: false,
  })
})

test('does not echo large or deeply nested input in a fault', () => {
  const deep = JSON.parse('['.repeat(20_000) + ']'.repeat(20_000))

  expect(read(starImages.body, { image_names: 'x'.repeat(9_000) }).faults[0]).not.toHaveProperty(
    'input',
  )
  expect(read(starImages.body, { image_names: [deep] }).faults[0]).not.toHaveProperty('input')
})
