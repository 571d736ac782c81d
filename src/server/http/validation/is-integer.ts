import type { TSchema } from 'typebox'
import type { Operation } from '#contract/operation.ts'
import type { SchemaNode } from './schema-node.ts'

/** Whether a schema is that of a whole number. */
export const isInteger = (schema: TSchema): boolean => (schema as SchemaNode).type === 'integer'

/** Whether a path of the operation can be wrong: a number stands in it. */
export const hasIntegerParams = ({ params }: Operation): boolean =>
  Object.values(params?.properties ?? {}).some(isInteger)
