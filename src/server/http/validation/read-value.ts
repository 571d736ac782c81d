import type { TSchema } from 'typebox'
import type { Operation } from '#contract/operation.ts'
import { findings, type Loc, truthOf, valueError } from '#server/core/findings.ts'
import { FaultList } from './fault-list.ts'

/** Leniency of type coercion: `text` is for query strings, `lax` and `strict` are for JSON bodies. */
export type Mode = 'text' | 'lax' | 'strict'

/** Replaces a value that could not be read. The reason is in the fault list. */
const unreadable = undefined

/**
 * Reads one value with pydantic's coercion rules and errors.
 *
 * @returns The value in the schema's type, or `undefined` after a fault.
 */
export function readValue(
  schema: SchemaNode,
  input: unknown,
  loc: Loc,
  mode: Mode,
  found: FaultList,
): unknown {
  if (schema.anyOf) {
    if (input === null) return null
    return readOneOf(
      schema.anyOf.filter(({ type }) => type !== 'null'),
      input,
      loc,
      mode,
      found,
    )
  }
  if (schema.type === 'boolean') return readBoolean(input, loc, mode, found)
  if (schema.type === 'integer') return readInteger(schema, input, loc, found)
  if (schema.type === 'array') return readArray(schema, input, loc, mode, found)
  if (schema.enum) return readEnum(schema.enum, input, loc, found)
  if (schema.type === 'object') return readObject(schema, input, loc, mode, found)
  if (schema.type === 'number') return readNumber(input, loc, found)
  if (schema.type === 'string') return readString(schema, input, loc, found)
  return input
}

/** Reads a union: uses the first type that matches without coercion. */
function readOneOf(
  options: readonly SchemaNode[],
  input: unknown,
  loc: Loc,
  mode: Mode,
  found: FaultList,
): unknown {
  const [first, ...others] = options
  if (first === undefined) return unreadable
  if (others.length === 0) return readValue(first, input, loc, mode, found)
  for (const option of options) {
    const faultsOfOption = new FaultList()
    const value = readValue(option, input, loc, 'strict', faultsOfOption)
    if (faultsOfOption.all.length === 0) return value
  }
  return readValue(first, input, loc, mode, found)
}

/**
 * Reads an object and fills in defaults. `additionalProperties` decides on unknown keys: true copies them, false
 * reports them, otherwise they are dropped.
 */
export function readObject(
  schema: SchemaNode,
  input: unknown,
  loc: Loc,
  mode: Mode,
  found: FaultList,
): Record<string, unknown> {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    found.add(findings.attributes, loc, input)
    return {}
  }
  const given = input as Record<string, unknown>
  const fields = schema.properties
  if (fields === undefined) return given
  const values: Record<string, unknown> = schema.additionalProperties === true ? { ...given } : {}
  for (const [key, field] of Object.entries(fields)) {
    if (Object.hasOwn(given, key)) {
      values[key] = readValue(field, given[key], [...loc, key], mode, found)
    } else if (schema.required?.includes(key)) {
      // As in FastAPI: the input of the fault is null at the top level, and the enclosing object in a nested one.
      found.add(findings.missing, [...loc, key], loc.length === 1 ? null : given)
    } else if (field.default !== undefined) {
      values[key] = field.default
    }
  }
  if (schema.additionalProperties === false) {
    for (const key of Object.keys(given)) {
      if (!Object.hasOwn(fields, key)) found.add(findings.extra, [...loc, key], given[key])
    }
  }
  return values
}

function readNumber(input: unknown, loc: Loc, found: FaultList): unknown {
  if (typeof input === 'number') return input
  found.add(findings.float, loc, input)
  return unreadable
}

function readBoolean(input: unknown, loc: Loc, mode: Mode, found: FaultList): unknown {
  if (typeof input === 'boolean') return input
  if (mode !== 'strict' && (typeof input === 'string' || typeof input === 'number')) {
    const truth = truthOf(input)
    if (truth === undefined) found.add(findings.boolText, loc, input)
    return truth
  }
  found.add(findings.bool, loc, input)
  return unreadable
}

const integerText = /^\s*[+-]?\d+(?:_\d+)*(?:\.0+)?\s*$/

function readInteger(schema: SchemaNode, input: unknown, loc: Loc, found: FaultList): unknown {
  const number = toInteger(input, loc, found)
  if (number === undefined) return unreadable
  if (schema.enum) return readEnum(schema.enum, number, loc, found)
  const { minimum, maximum } = schema
  if (minimum !== undefined && number < minimum) {
    found.add(findings.greaterThanEqual(minimum), loc, input)
  } else if (maximum !== undefined && number > maximum) {
    found.add(findings.lessThanEqual(maximum), loc, input)
  }
  return number
}

function toInteger(input: unknown, loc: Loc, found: FaultList): number | undefined {
  if (typeof input === 'boolean') return Number(input)
  if (typeof input === 'string') {
    const number = integerText.test(input) ? Number(input.replaceAll('_', '')) : Number.NaN
    if (Number.isSafeInteger(number)) return number
    found.add(findings.intText, loc, input)
  } else if (typeof input === 'number') {
    if (Number.isSafeInteger(input)) return input
    found.add(findings.intFraction, loc, input)
  } else {
    found.add(findings.int, loc, input)
  }
  return undefined
}

function readArray(
  schema: SchemaNode,
  input: unknown,
  loc: Loc,
  mode: Mode,
  found: FaultList,
): unknown {
  if (!Array.isArray(input)) {
    found.add(findings.list, loc, input)
    return unreadable
  }
  if (schema.maxItems !== undefined && input.length > schema.maxItems) {
    found.add(findings.tooMany(schema.maxItems, input.length), loc, input)
    return unreadable
  }
  const items = schema.items ?? {}
  return input.map((item, index) => readValue(items, item, [...loc, index], mode, found))
}

function readEnum(values: readonly unknown[], input: unknown, loc: Loc, found: FaultList): unknown {
  if (values.includes(input)) return input
  found.add(findings.member(values), loc, input)
  return unreadable
}

function readString(schema: SchemaNode, input: unknown, loc: Loc, found: FaultList): unknown {
  if (typeof input !== 'string') {
    found.add(findings.string, loc, input)
    return unreadable
  }
  // Counts code points like Python: an emoji is one character.
  if (schema.maxLength !== undefined && input.length > schema.maxLength) {
    if ([...input].length > schema.maxLength) {
      found.add(findings.tooLong(schema.maxLength), loc, input)
    }
  } else if (input.includes('\0')) {
    found.add(valueError('the text contains a NUL character'), loc, input)
  }
  return input
}

/** True if the schema is an integer. */
export const isInteger = (schema: TSchema): boolean => (schema as SchemaNode).type === 'integer'

/** True if a path parameter of the operation is an integer and can therefore be invalid. */
export const hasIntegerParams = ({ params }: Operation): boolean =>
  Object.values(params?.properties ?? {}).some(isInteger)

/** The keywords of JSON Schema that the contract uses. */
export interface SchemaNode {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly SchemaNode[]
  readonly items?: SchemaNode
  readonly properties?: Readonly<Record<string, SchemaNode>>
  readonly required?: readonly string[]
  readonly additionalProperties?: unknown
  readonly minimum?: number
  readonly maximum?: number
  readonly maxLength?: number
  readonly maxItems?: number
  readonly default?: unknown
}
