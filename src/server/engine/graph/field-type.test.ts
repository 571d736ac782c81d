import Type, { type TSchema } from 'typebox'
import { expect, test } from 'vitest'
import { valueSchema } from '#server/core/validation/value-schema.ts'
import { fieldTypeOf, fits } from './field-type.ts'

const int = Type.Integer({ minimum: 0, default: 3 })
const float = Type.Number()
const text = Type.String()
const nullable = (schema: TSchema) => Type.Union([schema, Type.Null()])
const list = (schema: TSchema) => Type.Array(schema)
const any = Type.Unknown()
const image = Type.Object({ image_name: Type.String({ description: 'a name' }) })
const tile = Type.Object({ image_name: Type.String(), x: Type.Integer() })
const record = Type.Record(Type.String(), Type.Unknown())

test.each<[string, TSchema, TSchema, boolean]>([
  ['equal types with different bounds', int, Type.Integer(), true],
  ['int to float', int, float, true],
  ['float to int', float, int, false],
  ['int to string', int, text, true],
  ['float to string', float, text, true],
  ['string to float', text, float, false],
  ['bool to int', Type.Boolean(), int, false],
  ['any to anything', any, image, true],
  ['anything to any', image, any, true],
  ['anything to a list of any', text, list(any), true],
  ['a member to its union', int, Type.Union([text, int]), true],
  ['a type to a union without it', image, Type.Union([text, int]), false],
  ['a type to its nullable type', image, nullable(image), true],
  ['a nullable type to the type', nullable(image), image, true],
  ['a union to a larger one', Type.Union([int, text]), Type.Union([image, text, int]), true],
  ['a union to one that lacks a member', Type.Union([image, text]), Type.Union([int, text]), false],
  ['a union to one of its members', Type.Union([image, text]), image, true],
  ['lists of the same type', list(image), list(image), true],
  ['a list to a single value', list(image), image, false],
  ['a single value to a list', image, list(image), false],
  ['a list to a list of a compatible type', list(int), list(float), true],
  [
    'a list to a union of a list and a single value',
    list(image),
    Type.Union([list(image), image]),
    true,
  ],
  ['objects with equal fields', image, Type.Object({ image_name: text }), true],
  ['an object with more to one with fewer', tile, image, true],
  ['an object with fewer to one with more', image, tile, false],
  ['an object to a record of anything', image, record, false],
  ['an enum to an equal one', Type.Enum(['a', 'b']), Type.Enum(['a', 'b']), true],
  ['text to an enum', text, Type.Enum(['a', 'b']), false],
])('%s: fits is %4$s', (_name, from, to, isFit) => {
  expect(fits(fieldTypeOf(valueSchema(from)), fieldTypeOf(valueSchema(to)))).toBe(isFit)
})
