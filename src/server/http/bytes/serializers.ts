import { createRequire } from 'node:module'
import type { FastifyServerOptions } from 'fastify'

type Compilers = NonNullable<
  NonNullable<FastifyServerOptions['schemaController']>['compilersFactory']
>
type BuildSerializer = NonNullable<Compilers['buildSerializer']>
type Serialize = (answer: unknown) => string

// Fastify's default serializer compiler, resolved through Fastify because it is a transitive dependency.
const requireOfFastify = createRequire(createRequire(import.meta.url).resolve('fastify'))
const ofFastify: { SerializerSelector: () => BuildSerializer } = requireOfFastify(
  '@fastify/fast-json-stringify-compiler',
)

/** Keyed by identity: a contract schema is the same object for all routes and servers and has no references. */
const compiled = new WeakMap<object, Serialize>()

/** Compiles a serializer for its first answer: compiling hundreds of schemas took half of the startup time. */
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
