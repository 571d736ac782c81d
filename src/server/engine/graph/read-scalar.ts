import { type Finding, findings, type Loc, truthOf } from '#server/core/findings.ts'
import type { Findings, ValueSchema } from './value-schema.ts'

/** @returns `undefined` after a fault. The other functions of this file do the same. */
export function readBoolean(input: unknown, loc: Loc, found: Findings): boolean | undefined {
  if (typeof input === 'boolean') return input
  if (typeof input === 'string' || typeof input === 'number') {
    const truth = truthOf(input)
    if (truth === undefined) found.add(findings.boolText, loc, input)
    return truth
  }
  found.add(findings.bool, loc, input)
  return undefined
}

const integerText = /^\s*[+-]?\d{1,30}(?:\.0{1,30})?\s*$/
const numberText = /^\s*[+-]?(?:\d{1,400}(?:\.\d{0,400})?|\.\d{1,400})(?:e[+-]?\d{1,4})?\s*$/i

/** Reads an integer within JavaScript's safe range. */
export function readInteger(
  schema: ValueSchema,
  input: unknown,
  loc: Loc,
  found: Findings,
): number | undefined {
  const number = toInteger(input)
  if (typeof number === 'object') found.add(number, loc, input)
  else return withinBounds(schema, number, loc, found)
  return undefined
}

function toInteger(input: unknown): number | Finding {
  if (typeof input === 'boolean') return Number(input)
  if (typeof input === 'string') {
    if (!integerText.test(input)) return findings.intText
    return Number.isSafeInteger(Number(input)) ? Number(input) : findings.intSize
  }
  if (typeof input !== 'number') return findings.int
  if (Number.isSafeInteger(input)) return input
  if (!Number.isFinite(input)) return findings.finite
  return Number.isInteger(input) ? findings.intSize : findings.intFraction
}

/** Reads a finite number. NaN and infinity cannot be stored as JSON. */
export function readNumber(
  schema: ValueSchema,
  input: unknown,
  loc: Loc,
  found: Findings,
): number | undefined {
  const number = toNumber(input)
  if (typeof number === 'object') found.add(number, loc, input)
  else return withinBounds(schema, number, loc, found)
  return undefined
}

function toNumber(input: unknown): number | Finding {
  if (typeof input === 'boolean') return Number(input)
  if (typeof input === 'string' && !numberText.test(input)) return findings.floatText
  if (typeof input !== 'number' && typeof input !== 'string') return findings.float
  return Number.isFinite(Number(input)) ? Number(input) : findings.finite
}

function withinBounds(
  schema: ValueSchema,
  number: number,
  loc: Loc,
  found: Findings,
): number | undefined {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema
  const finding =
    (minimum !== undefined && number < minimum && findings.greaterThanEqual(minimum)) ||
    (maximum !== undefined && number > maximum && findings.lessThanEqual(maximum)) ||
    (exclusiveMinimum !== undefined &&
      number <= exclusiveMinimum &&
      findings.greaterThan(exclusiveMinimum)) ||
    (exclusiveMaximum !== undefined &&
      number >= exclusiveMaximum &&
      findings.lessThan(exclusiveMaximum)) ||
    (multipleOf !== undefined && number % multipleOf !== 0 && findings.multipleOf(multipleOf))
  if (!finding) return number
  found.add(finding, loc, number)
  return undefined
}

/** Reads a string. Numbers become text, because InvokeAI lets int and float outputs connect to string inputs. */
export function readText(
  schema: ValueSchema,
  input: unknown,
  loc: Loc,
  found: Findings,
): string | undefined {
  const text = typeof input === 'number' && Number.isFinite(input) ? String(input) : input
  if (typeof text !== 'string') {
    found.add(findings.string, loc, input)
    return undefined
  }
  const { minLength, maxLength } = schema
  if (minLength !== undefined && text.length < minLength) {
    found.add(findings.tooShort(minLength), loc, input)
    return undefined
  }
  // Counts code points like Python: an emoji is one character.
  if (maxLength !== undefined && text.length > maxLength && [...text].length > maxLength) {
    found.add(findings.tooLong(maxLength), loc, input)
    return undefined
  }
  return text
}
