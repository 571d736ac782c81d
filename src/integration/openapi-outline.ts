import { createHash } from 'node:crypto'

/** A JSON Schema of an OpenAPI document, as far as the outline reads it. */
export interface Schema {
  $ref?: string
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: Schema | boolean
}

/** An operation of an OpenAPI document, as far as the outline reads it. */
export interface DescribedOperation {
  operationId: string
  parameters?: { name: string; in: string; required?: boolean; schema: Schema }[]
  requestBody?: { required?: boolean; content: Record<string, { schema: Schema }> }
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>
}

/** An OpenAPI document, as far as the outline reads it. */
export interface OpenApiDocument {
  openapi: string
  paths: Record<string, Record<string, DescribedOperation>>
  components: { schemas: Record<string, Schema> }
}

/**
 * Returns an OpenAPI document as text that a reviewer can read: one line for each operation, parameter, body, response,
 * schema and property. Each operation and schema ends with a digest of its whole JSON, so that a change of a limit, a
 * default or a description shows too.
 */
export function outlineOpenApi({ paths, components }: OpenApiDocument): string {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  )
  return [
    ...operations.flatMap(outlineOperation),
    ...Object.entries(components.schemas).flatMap(outlineSchema),
    '',
  ].join('\n')
}

function outlineOperation(entry: {
  method: string
  path: string
  operation: DescribedOperation
}): string[] {
  const { operationId, parameters = [], requestBody, responses } = entry.operation
  return [
    `${entry.method.toUpperCase()} ${entry.path} ${operationId} ${digestOf(entry.operation)}`,
    ...parameters.map(
      (one) => `  ${one.in} ${one.name}${one.required ? '' : '?'}: ${typeText(one.schema)}`,
    ),
    ...Object.entries(requestBody?.content ?? {}).map(
      ([media, { schema }]) =>
        `  body${requestBody?.required ? '' : '?'} ${media}: ${typeText(schema)}`,
    ),
    ...outlineResponses(responses),
  ]
}

/** Returns a line for each response with content, and one with the statuses of the errors. */
function outlineResponses(responses: DescribedOperation['responses']): string[] {
  const entries = Object.entries(responses)
  const errors = entries.filter(([status]) => Number(status) >= 400).map(([status]) => status)
  const answers = entries.filter(([status]) => Number(status) < 400)
  return [
    ...answers.flatMap(([status, { content = {} }]) =>
      Object.entries(content).map(
        ([media, { schema }]) => `  ${status} ${media}: ${typeText(schema)}`,
      ),
    ),
    ...(errors.length === 0 ? [] : [`  errors ${errors.join(' ')}`]),
  ]
}

function outlineSchema([name, schema]: [string, Schema]): string[] {
  const { properties, required = [], ...rest } = schema
  if (properties === undefined) return [`${name} ${digestOf(schema)} = ${typeText(rest)}`]
  return [
    `${name} ${digestOf(schema)}`,
    ...Object.entries(properties).map(
      ([key, value]) => `  ${key}${required.includes(key) ? '' : '?'}: ${typeText(value)}`,
    ),
  ]
}

/** Returns the type of a schema in the notation of TypeScript. */
function typeText(schema: Schema = {}): string {
  const { $ref, anyOf, oneOf, allOf, items, properties, additionalProperties } = schema
  if ($ref !== undefined) return $ref.split('/').at(-1) ?? ''
  if ('const' in schema) return JSON.stringify(schema.const)
  if (schema.enum !== undefined) return shortened(schema.enum.map((one) => JSON.stringify(one)))
  if (anyOf ?? oneOf) return shortened((anyOf ?? oneOf ?? []).map(typeText))
  if (allOf !== undefined) return allOf.map(typeText).join(' & ')
  if (items !== undefined) {
    const item = typeText(items)
    return item.includes(' ') ? `(${item})[]` : `${item}[]`
  }
  if (properties !== undefined) return `{ ${Object.keys(properties).join(', ')} }`
  if (typeof additionalProperties === 'object')
    return `{ [key]: ${typeText(additionalProperties)} }`
  return [schema.type ?? 'any'].flat().join(' | ')
}

/** Returns a union, and for a long one its first members and their number. */
const shortened = (members: readonly string[]): string =>
  members.length <= 8
    ? members.join(' | ')
    : `${members.slice(0, 3).join(' | ')} | ... (${members.length})`

const digestOf = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 8)
