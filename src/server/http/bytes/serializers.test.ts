import type { TSchema } from 'typebox'
import Value from 'typebox/value'
import { expect, test } from 'vitest'
import { RefusalBody, ValidationBody } from '#contract/refusal-bodies.ts'
import { routes } from '#server/http/routes.ts'
import { buildSerializer } from './serializers.ts'

const compile = buildSerializer({}, {})

const write = (schema: object, answer: unknown): string =>
  compile({ schema, method: 'GET', url: '/', httpStatus: '200' })(answer)

// Typed without generics: TypeScript needs seconds to check the union of all answers.
const create: (schema: TSchema) => unknown = Value.Create
const check: (schema: TSchema, value: unknown) => boolean = Value.Check

const operations = routes.map(({ operation }) => operation)

test.each(operations.filter(({ mediaType }) => mediaType === undefined))(
  'serializes the answer of $operationId',
  ({ answers }) => {
    for (const schema of [...Object.values(answers), RefusalBody, ValidationBody]) {
      const written: unknown = JSON.parse(write(schema, create(schema)))

      expect(check(schema, written)).toBe(true)
    }
  },
)

test('writes only keys of the schema, also after the first answer', () => {
  const schema = { type: 'object', properties: { name: { type: 'string' } } }

  const written = ['cat.png', 'dog.png'].map((name) => write(schema, { name, path: '/home' }))

  expect(written).toEqual(['{"name":"cat.png"}', '{"name":"dog.png"}'])
})
