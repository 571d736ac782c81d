import type { TSchema } from 'typebox'
import type { FaultList } from '#server/core/validation/fault-list.ts'
import { findings } from '#server/core/validation/findings.ts'
import { readValue } from '#server/core/validation/read-value.ts'
import { type ValueSchema, valueSchema } from '#server/core/validation/value-schema.ts'

/** The value of a key of the query string, or several values if the key is repeated. */
type Text = string | readonly string[] | undefined

/**
 * Reads a query as InvokeAI does: unknown keys are ignored, a repeated key is an array, and for a single value the
 * last one counts.
 */
export function readQuery(
  schema: TSchema,
  query: Readonly<Record<string, Text>>,
  found: FaultList,
): Record<string, unknown> {
  const { properties = {}, required = [] } = valueSchema(schema)
  const values: Record<string, unknown> = {}
  for (const [key, field] of Object.entries(properties)) {
    const input = textOf(field, query[key])
    if (input !== undefined) {
      values[key] = readValue(field, input, ['query', key], 'lax', found)
    } else if (required.includes(key)) {
      found.add(findings.missing, ['query', key], null)
    } else if (field.default !== undefined) {
      values[key] = field.default
    }
  }
  return values
}

const textOf = (field: ValueSchema, text: Text): Text => {
  if (text === undefined) return undefined
  if (field.type === 'array') return [text].flat()
  return typeof text === 'string' ? text : text.at(-1)
}
