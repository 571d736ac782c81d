import { FaultList } from './fault-list.ts'
import { type Finding, findings, type Loc, truthOf, valueError } from './findings.ts'
import { isAnySchema, type ValueSchema } from './value-schema.ts'

/** The pydantic settings that InvokeAI would use: `lax` and `strict` for requests, `graph` for inputs of nodes. */
export type Mode = 'lax' | 'strict' | 'graph'

/**
 * Reads a value with pydantic's coercion rules and errors, fills in defaults and drops unknown fields.
 *
 * @returns The value in the schema's type, or `undefined` after a fault.
 */
export const readValue = (
  schema: ValueSchema,
  input: unknown,
  loc: Loc,
  mode: Mode,
  found: FaultList,
): unknown => new ValueReader(mode, found).read(schema, input, [...loc])

export const isPlainObject = (input: unknown): input is Record<string, unknown> =>
  typeof input === 'object' && input !== null && !Array.isArray(input)

/** Nesting limit of values without a schema. `JSON.stringify` and other readers are recursive. */
const MAX_DEPTH = 64

class ValueReader {
  readonly #mode: Mode
  readonly #isGraph: boolean
  readonly #found: FaultList

  constructor(mode: Mode, found: FaultList) {
    this.#mode = mode
    this.#isGraph = mode === 'graph'
    this.#found = found
  }

  read(schema: ValueSchema, input: unknown, loc: Loc): unknown {
    if (schema.anyOf) return this.#readUnion(schema.anyOf, input, loc)
    if (schema.type === 'integer') return this.#readNumber(schema, input, loc, toInteger)
    if (schema.enum) return this.#readMember(schema.enum, input, loc)
    if (schema.const !== undefined) return this.#readMember([schema.const], input, loc)
    switch (schema.type) {
      case 'boolean':
        return this.#readBoolean(input, loc)
      case 'number':
        return this.#readNumber(schema, input, loc, toNumber)
      case 'string':
        return this.#readText(schema, input, loc)
      case 'array':
        return this.#readList(schema, input, loc)
      case 'object':
        return this.#readObject(schema, input, loc)
      case 'null':
        return input === null ? null : this.#refuse(findings.none, input, loc)
      default:
        return this.#isGraph ? this.#readAny(input, loc) : input
    }
  }

  #refuse(finding: Finding, input: unknown, loc: Loc): undefined {
    this.#found.add(finding, loc, input)
    return undefined
  }

  /** Reads a union: the first member that matches without coercion, otherwise the first one that coerces. */
  #readUnion(members: readonly ValueSchema[], input: unknown, loc: Loc): unknown {
    const present = members.filter((member) => member.type !== 'null')
    if (input === null && !(this.#isGraph && present.length === members.length)) return null
    const exact = present.filter((member) => isOfType(member, input))
    for (const member of exact.length > 0 ? exact : present) {
      const trial = new FaultList()
      const value = new ValueReader(this.#mode, trial).read(member, input, loc)
      if (trial.all.length === 0) return value
    }
    const [reported = {}] = this.#isGraph && exact.length > 0 ? exact : present
    return this.read(reported, input, loc)
  }

  #readMember(values: readonly unknown[], input: unknown, loc: Loc): unknown {
    if (values.includes(input)) return input
    // InvokeAI declares a choice as an enum in requests, and as a literal in nodes.
    const finding = this.#isGraph ? findings.oneOf : findings.member
    return this.#refuse(finding(values), input, loc)
  }

  #readBoolean(input: unknown, loc: Loc): boolean | undefined {
    if (typeof input === 'boolean') return input
    const isWord = typeof input === 'string' || typeof input === 'number'
    if (this.#mode === 'strict' || !isWord) return this.#refuse(findings.bool, input, loc)
    return truthOf(input) ?? this.#refuse(findings.boolText, input, loc)
  }

  #readNumber(
    schema: ValueSchema,
    input: unknown,
    loc: Loc,
    parse: (input: unknown, isGraph: boolean) => number | Finding,
  ): unknown {
    const number = parse(input, this.#isGraph)
    if (typeof number === 'object') return this.#refuse(number, input, loc)
    if (schema.enum) return this.#readMember(schema.enum, number, loc)
    const finding = outOfBounds(schema, number)
    return finding ? this.#refuse(finding, input, loc) : number
  }

  /** Reads a string. In a graph, numbers become text: InvokeAI connects int and float outputs to string inputs. */
  #readText({ maxLength }: ValueSchema, input: unknown, loc: Loc): string | undefined {
    const isNumber = this.#isGraph && typeof input === 'number' && Number.isFinite(input)
    const text = isNumber ? String(input) : input
    if (typeof text !== 'string') return this.#refuse(findings.string, input, loc)
    // Counts code points like Python: an emoji is one character.
    if (maxLength !== undefined && text.length > maxLength && [...text].length > maxLength) {
      return this.#refuse(findings.tooLong(maxLength), input, loc)
    }
    if (!this.#isGraph && text.includes('\0')) {
      return this.#refuse(valueError('the text contains a NUL character'), input, loc)
    }
    return text
  }

  #readList({ maxItems, items = {} }: ValueSchema, input: unknown, loc: Loc): unknown {
    if (!Array.isArray(input)) return this.#refuse(findings.list, input, loc)
    if (maxItems !== undefined && input.length > maxItems) {
      return this.#refuse(findings.tooMany(maxItems, input.length), input, loc)
    }
    return input.map((item, index) => this.#readInside(items, item, index, loc))
  }

  /** Changes `loc` in place: copying it for each of a million items would take longer than reading them. */
  #readInside(schema: ValueSchema, input: unknown, step: string | number, loc: Loc): unknown {
    loc.push(step)
    const value = this.read(schema, input, loc)
    loc.pop()
    return value
  }

  /** `additionalProperties` decides on unknown keys: true copies them, false reports them, otherwise they are dropped. */
  #readObject(schema: ValueSchema, input: unknown, loc: Loc): unknown {
    const { properties, additionalProperties } = schema
    if (!isPlainObject(input)) {
      const nodeFinding = properties ? findings.object : findings.dict
      return this.#refuse(this.#isGraph ? nodeFinding : findings.attributes, input, loc)
    }
    if (properties === undefined) return this.#isGraph ? this.#readAny(input, loc) : input
    const values = additionalProperties === true ? Object.entries(input) : []
    for (const [key, field] of Object.entries(properties)) {
      if (Object.hasOwn(input, key)) {
        values.push([key, this.#readInside(field, input[key], key, loc)])
      } else if (field.default !== undefined) {
        values.push([key, field.default])
      } else if (schema.required?.includes(key)) {
        // As in FastAPI: the input of the fault is null at the top level, and the enclosing object in a nested one.
        this.#refuse(findings.missing, loc.length === 1 ? null : input, [...loc, key])
      }
    }
    if (additionalProperties === false) {
      for (const key of Object.keys(input).filter((name) => !Object.hasOwn(properties, name))) {
        this.#refuse(findings.extra, input[key], [...loc, key])
      }
    }
    return Object.fromEntries(values)
  }

  /** Refuses infinite numbers (`1e999` parses as Infinity) and deep nesting. Iterates by level instead of recursion. */
  #readAny(input: unknown, loc: Loc): unknown {
    let level: unknown[] = [input]
    for (let depth = 0; level.length > 0; depth += 1) {
      if (depth > MAX_DEPTH) return this.#refuse(findings.tooDeep, input, loc)
      const next: unknown[] = []
      for (const value of level) {
        if (typeof value === 'number' && !Number.isFinite(value)) {
          return this.#refuse(findings.finite, input, loc)
        }
        if (typeof value !== 'object' || value === null) continue
        for (const inner of Array.isArray(value) ? value : Object.values(value)) next.push(inner)
      }
      level = next
    }
    return input
  }
}

const isOfType = (schema: ValueSchema, input: unknown): boolean => {
  if (isAnySchema(schema)) return true
  if (schema.enum) return schema.enum.includes(input)
  if (schema.type === 'integer') return Number.isSafeInteger(input)
  if (schema.type === 'array') return Array.isArray(input)
  if (schema.type === 'object') return isPlainObject(input)
  return typeof input === schema.type
}

const integerText = /^\s*[+-]?\d+(?:_\d+)*(?:\.0+)?\s*$/
const graphIntegerText = /^\s*[+-]?\d{1,30}(?:\.0{1,30})?\s*$/
const numberText = /^\s*[+-]?(?:\d{1,400}(?:\.\d{0,400})?|\.\d{1,400})(?:e[+-]?\d{1,4})?\s*$/i

/** Parses an integer within JavaScript's safe range. */
function toInteger(input: unknown, isGraph: boolean): number | Finding {
  if (typeof input === 'boolean') return Number(input)
  if (typeof input === 'string') {
    if (!(isGraph ? graphIntegerText : integerText).test(input)) return findings.intText
    const number = Number(input.replaceAll('_', ''))
    if (Number.isSafeInteger(number)) return number
    return isGraph ? findings.intSize : findings.intText
  }
  if (typeof input !== 'number') return findings.int
  if (Number.isSafeInteger(input)) return input
  if (!isGraph) return findings.intFraction
  if (!Number.isFinite(input)) return findings.finite
  return Number.isInteger(input) ? findings.intSize : findings.intFraction
}

/** Parses a number. In a graph, booleans and texts are coerced, and NaN and infinity are refused: JSON lacks them. */
function toNumber(input: unknown, isGraph: boolean): number | Finding {
  if (!isGraph) return typeof input === 'number' ? input : findings.float
  if (typeof input === 'boolean') return Number(input)
  if (typeof input === 'string' && !numberText.test(input)) return findings.floatText
  if (typeof input !== 'number' && typeof input !== 'string') return findings.float
  return Number.isFinite(Number(input)) ? Number(input) : findings.finite
}

function outOfBounds(schema: ValueSchema, number: number): Finding | false {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema
  return (
    (minimum !== undefined && number < minimum && findings.greaterThanEqual(minimum)) ||
    (maximum !== undefined && number > maximum && findings.lessThanEqual(maximum)) ||
    (exclusiveMinimum !== undefined &&
      number <= exclusiveMinimum &&
      findings.greaterThan(exclusiveMinimum)) ||
    (exclusiveMaximum !== undefined &&
      number >= exclusiveMaximum &&
      findings.lessThan(exclusiveMaximum)) ||
    (multipleOf !== undefined && number % multipleOf !== 0 && findings.multipleOf(multipleOf))
  )
}
