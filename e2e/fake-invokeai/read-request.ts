import { InvalidRequest, type ValidationFault } from './fault.ts'

const MAX_NAMES = 1000
const MAX_NAME_LENGTH = 255

const TRUE_WORDS = ['true', '1', 't', 'yes', 'y', 'on']
const FALSE_WORDS = ['false', '0', 'f', 'no', 'n', 'off']

/** Reads a query as FastAPI does: lenient booleans, strict enums, repeated keys for arrays. */
export class QueryReader {
  readonly #query: Record<string, string | string[] | undefined>

  constructor(query: unknown) {
    this.#query = (query ?? {}) as Record<string, string | string[] | undefined>
  }

  text(key: string): string | undefined {
    const value = this.#query[key]
    return Array.isArray(value) ? value.at(-1) : value
  }

  requiredText(key: string): string {
    return this.text(key) ?? this.#fail(missing(['query', key], null))
  }

  isTrue(key: string): boolean | undefined {
    const value = this.text(key)
    if (value === undefined) return undefined
    if (TRUE_WORDS.includes(value.toLowerCase())) return true
    if (FALSE_WORDS.includes(value.toLowerCase())) return false
    const msg = 'Input should be a valid boolean, unable to interpret input'
    return this.#fail({ type: 'bool_parsing', loc: ['query', key], msg, input: value })
  }

  integer(key: string): number | undefined {
    const value = this.text(key)
    if (value === undefined) return undefined
    if (/^[+-]?\d+$/.test(value.trim())) return Number(value)
    const msg = 'Input should be a valid integer, unable to parse string as an integer'
    return this.#fail({ type: 'int_parsing', loc: ['query', key], msg, input: value })
  }

  /** Reads an integer within inclusive bounds, like FastAPI's `ge` and `le`. */
  integerIn(key: string, least: number, most: number): number | undefined {
    const value = this.integer(key)
    if (value === undefined || (value >= least && value <= most)) return value
    const isLess = value < least
    const bound = isLess ? { ge: least } : { le: most }
    const words = isLess ? `greater than or equal to ${least}` : `less than or equal to ${most}`
    const type = isLess ? 'greater_than_equal' : 'less_than_equal'
    const msg = `Input should be ${words}`
    return this.#fail({ type, loc: ['query', key], msg, input: String(value), ctx: bound })
  }

  oneOf<const T extends string>(key: string, allowed: readonly T[]): T | undefined {
    const value = this.text(key)
    if (value === undefined) return undefined
    return (
      allowed.find((each) => each === value) ??
      this.#fail(enumFault(['query', key], allowed, value))
    )
  }

  listOf<const T extends string>(key: string, allowed: readonly T[]): T[] | undefined {
    const value = this.#query[key]
    if (value === undefined) return undefined
    const values = Array.isArray(value) ? value : [value]
    return values.map(
      (each, index) =>
        allowed.find((word) => word === each) ??
        this.#fail(enumFault(['query', key, index], allowed, each)),
    )
  }

  #fail(fault: ValidationFault): never {
    throw new InvalidRequest([fault])
  }
}

/** Returns the JSON object of a body. Treats a body of another content type as missing, as InvokeAI does. */
export function readBody(body: unknown): Record<string, unknown> {
  if (body === undefined || body === null) throw new InvalidRequest([missing(['body'], null)])
  if (typeof body === 'object' && !Array.isArray(body)) return body as Record<string, unknown>
  const msg = 'Input should be a valid dictionary or object to extract fields from'
  throw new InvalidRequest([{ type: 'model_attributes_type', loc: ['body'], msg, input: body }])
}

export function readText(body: Record<string, unknown>, key: string): string {
  const value = body[key]
  if (value === undefined) throw new InvalidRequest([missing(['body', key], body)])
  if (typeof value === 'string') return value
  const msg = 'Input should be a valid string'
  throw new InvalidRequest([{ type: 'string_type', loc: ['body', key], msg, input: value }])
}

/** Reads `image_names` without duplicates: at most 1,000 names of at most 255 characters. */
export function readImageNames(body: unknown): string[] {
  const object = readBody(body)
  const value = object.image_names
  const loc = ['body', 'image_names']
  if (value === undefined) throw new InvalidRequest([missing(loc, object)])
  if (!Array.isArray(value)) {
    const msg = 'Input should be a valid list'
    throw new InvalidRequest([{ type: 'list_type', loc, msg, input: value }])
  }
  const { length } = value
  if (length > MAX_NAMES) {
    const msg = `List should have at most ${MAX_NAMES} items after validation, not ${length}`
    const ctx = { field_type: 'List', max_length: MAX_NAMES, actual_length: length }
    throw new InvalidRequest([{ type: 'too_long', loc, msg, input: value, ctx }])
  }
  const names = value.map(String)
  const faults = names.flatMap((name, index) =>
    name.length <= MAX_NAME_LENGTH
      ? []
      : [
          {
            type: 'string_too_long',
            loc: [...loc, index],
            msg: `String should have at most ${MAX_NAME_LENGTH} characters`,
            input: name,
            ctx: { max_length: MAX_NAME_LENGTH },
          },
        ],
  )
  if (faults.length > 0) throw new InvalidRequest(faults)
  return [...new Set(names)]
}

export function missing(loc: (string | number)[], input: unknown): ValidationFault {
  return { type: 'missing', loc, msg: 'Field required', input }
}

export function enumFault(
  loc: (string | number)[],
  allowed: readonly string[],
  input: unknown,
): ValidationFault {
  const quoted = allowed.map((word) => `'${word}'`)
  const expected = [quoted.slice(0, -1).join(', '), quoted.at(-1)].filter(Boolean).join(' or ')
  return { type: 'enum', loc, msg: `Input should be ${expected}`, input, ctx: { expected } }
}
