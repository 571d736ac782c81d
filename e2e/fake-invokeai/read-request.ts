import { InvalidRequest, type ValidationFault } from './fault.ts'

const TRUE_WORDS = ['true', '1', 't', 'yes', 'y', 'on']
const FALSE_WORDS = ['false', '0', 'f', 'no', 'n', 'off']

/** Reads a query as FastAPI does (wire 0): lax booleans, strict enums, repeated keys for arrays. */
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

/** The JSON object of a body; a body of another content type reads as none (wire 0). */
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

/** `image_names`, repeats merged. */
export function readImageNames(body: unknown): string[] {
  const object = readBody(body)
  const value = object.image_names
  if (value === undefined) throw new InvalidRequest([missing(['body', 'image_names'], object)])
  if (Array.isArray(value)) return [...new Set(value.map(String))]
  const msg = 'Input should be a valid list'
  throw new InvalidRequest([{ type: 'list_type', loc: ['body', 'image_names'], msg, input: value }])
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
