import { createRequire } from 'node:module'
import type { FastifyServerOptions } from 'fastify'

type Compilers = NonNullable<
  NonNullable<FastifyServerOptions['schemaController']>['compilersFactory']
>
type BuildSerializer = NonNullable<Compilers['buildSerializer']>
type Serialize = (answer: unknown) => string

// The one that Fastify takes by itself, found from Fastify, whose part it is.
const requireOfFastify = createRequire(createRequire(import.meta.url).resolve('fastify'))
const ofFastify: { SerializerSelector: () => BuildSerializer } = requireOfFastify(
  '@fastify/fast-json-stringify-compiler',
)

/** By the identity of the schema: one of the contract is the same for all routes and servers, and names no other. */
const compiled = new WeakMap<object, Serialize>()

/**
 * For Fastify: the serializer of a schema is compiled when the first answer by it goes out. The routes have
 * hundreds, and to compile them all took half of the time in which a server starts.
 */
export const buildSerializer: BuildSerializer = (externalSchemas, options) => {
  const compile = ofFastify.SerializerSelector()(externalSchemas, options)
  return (route) => {
    const schema = Object(route.schema)
    return (answer: unknown) => {
      const serialize = compiled.get(schema) ?? compile(route)
      compiled.set(schema, serialize)
      return serialize(answer)
    }
  }
}
