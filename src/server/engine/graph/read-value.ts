import { type Finding, findings, type Loc } from '#server/core/findings.ts'
import { readBoolean, readInteger, readNumber, readText } from './read-scalar.ts'
import { Findings, isAnySchema, type ValueSchema } from './value-schema.ts'

/** Nesting limit of values without a schema. `JSON.stringify` and other readers are recursive. */
const MAX_DEPTH = 64

/**
 * Reads a value with pydantic's coercion rules and errors, fills in defaults and drops unknown fields.
 *
 * @returns The value in the schema's type, or `undefined` after a fault.
 */
export function readValue(schema: ValueSchema, input: unknown, loc: Loc, found: Findings): unknown {
  if (schema.anyOf) return readUnion(schema.anyOf, input, loc, found)
  if (schema.enum) return readOneOf(schema.enum, input, loc, found)
  if (schema.const !== undefined) return readOneOf([schema.const], input, loc, found)
  switch (schema.type) {
    case 'boolean':
      return readBoolean(input, loc, found)
    case 'integer':
      return readInteger(schema, input, loc, found)
    case 'number':
      return readNumber(schema, input, loc, found)
    case 'string':
      return readText(schema, input, loc, found)
    case 'array':
      return readList(schema, input, loc, found)
    case 'object':
      return readObject(schema, input, loc, found)
    case 'null':
      return input === null ? null : refuse(findings.none, input, loc, found)
    default:
      return readAny(input, loc, found)
  }
}

const refuse = (finding: Finding, input: unknown, loc: Loc, found: Findings): undefined => {
  found.add(finding, loc, input)
  return undefined
}

/** Reads a union: the first member that matches without coercion, otherwise the first one that coerces. */
function readUnion(
  members: readonly ValueSchema[],
  input: unknown,
  loc: Loc,
  found: Findings,
): unknown {
  const present = members.filter((member) => member.type !== 'null')
  if (input === null && present.length < members.length) return null
  const exact = present.filter((member) => isOfType(member, input))
  const [only = present[0], ...others] = exact.length > 0 ? exact : present
  if (only === undefined) return readAny(input, loc, found)
  for (const member of [only, ...others]) {
    const trial = new Findings()
    const value = readValue(member, input, loc, trial)
    if (trial.all.length === 0) return value
  }
  return readValue(only, input, loc, found)
}

const isOfType = (schema: ValueSchema, input: unknown): boolean => {
  if (isAnySchema(schema)) return true
  if (schema.enum) return schema.enum.includes(input)
  if (schema.type === 'integer') return Number.isSafeInteger(input)
  if (schema.type === 'array') return Array.isArray(input)
  if (schema.type === 'object') return isPlainObject(input)
  return typeof input === schema.type
}

/** True if the value is a JSON object. */
export const isPlainObject = (input: unknown): input is Record<string, unknown> =>
  typeof input === 'object' && input !== null && !Array.isArray(input)

function readOneOf(values: readonly unknown[], input: unknown, loc: Loc, found: Findings): unknown {
  return values.includes(input) ? input : refuse(findings.oneOf(values), input, loc, found)
}

function readList(schema: ValueSchema, input: unknown, loc: Loc, found: Findings): unknown {
  if (!Array.isArray(input)) return refuse(findings.list, input, loc, found)
  if (schema.minItems !== undefined && input.length < schema.minItems) {
    return refuse(findings.tooFew(schema.minItems, input.length), input, loc, found)
  }
  const items = schema.items ?? {}
  return input.map((item, index) => readInside(items, item, index, loc, found))
}

/** Changes `loc` in place: copying it for each of a million items would take longer than reading them. */
function readInside(
  schema: ValueSchema,
  input: unknown,
  step: string | number,
  loc: Loc,
  found: Findings,
): unknown {
  loc.push(step)
  const value = readValue(schema, input, loc, found)
  loc.pop()
  return value
}

function readObject(schema: ValueSchema, input: unknown, loc: Loc, found: Findings): unknown {
  const { properties } = schema
  if (!isPlainObject(input)) {
    return refuse(properties ? findings.object : findings.dict, input, loc, found)
  }
  if (properties === undefined) return readAny(input, loc, found)
  const values: [string, unknown][] = []
  for (const [key, field] of Object.entries(properties)) {
    if (Object.hasOwn(input, key)) {
      values.push([key, readInside(field, input[key], key, loc, found)])
    } else if (field.default !== undefined) {
      values.push([key, field.default])
    } else if (schema.required?.includes(key)) {
      found.add(findings.missing, [...loc, key])
    }
  }
  return Object.fromEntries(values)
}

/** Refuses infinite numbers (`1e999` parses as Infinity) and deep nesting. Iterates by level instead of recursion. */
function readAny(input: unknown, loc: Loc, found: Findings): unknown {
  let level: unknown[] = [input]
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_DEPTH) return refuse(findings.tooDeep, input, loc, found)
    const next: unknown[] = []
    for (const value of level) {
      if (typeof value === 'number' && !Number.isFinite(value)) {
        return refuse(findings.finite, input, loc, found)
      }
      if (typeof value !== 'object' || value === null) continue
      for (const inner of Array.isArray(value) ? value : Object.values(value)) next.push(inner)
    }
    level = next
  }
  return input
}
