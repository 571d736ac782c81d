/** Longer texts are kept but not read: parsing them would hold up every other request. */
const MAX_PARSED_CHARACTERS = 2_000_000

/** Nothing that generators write is nested so deeply; what is would overflow whoever walks it. */
const MAX_DEPTH = 64

const isShallow = (value: unknown, depth = 0): boolean => {
  if (typeof value !== 'object' || value === null) return true
  if (depth === MAX_DEPTH) return false
  return Object.values(value).every((inner) => isShallow(inner, depth + 1))
}

/** Whole numbers that a number would round stay as they were written: text. */
const withAllDigits = (_key: string, value: unknown, written?: { source?: string }): unknown =>
  typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)
    ? (written?.source ?? value)
    : value

const parse = (text: string, keepsDigits: boolean): unknown => {
  try {
    // Looked for first: a reviver is called for every value.
    return keepsDigits && /\d{16}/.test(text) ? JSON.parse(text, withAllDigits) : JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Python writes `NaN`, which JSON does not have. */
const parseWithNan = (text: string, keepsDigits: boolean): unknown =>
  text.includes('NaN')
    ? parse(text.replaceAll(/(?<=[:[,]\s{0,100})NaN\b/g, 'null'), keepsDigits)
    : undefined

/** Whether a text is JSON as everybody reads it, without Python's additions. */
export const isJson = (text: string): boolean => parse(text, false) !== undefined

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * An object that someone else wrote as JSON; null for all else: broken, no object, too long, too deep.
 *
 * @param options.keepsDigits - True gives whole numbers beyond 2^53 as text, to the last digit.
 */
export const parseEmbeddedJson = (
  text: string | undefined,
  { keepsDigits = false }: { keepsDigits?: boolean } = {},
): Record<string, unknown> | null => {
  if (text === undefined || text.length > MAX_PARSED_CHARACTERS) return null
  const value = parse(text, keepsDigits) ?? parseWithNan(text, keepsDigits)
  return isObject(value) && isShallow(value) ? value : null
}
