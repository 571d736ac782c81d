/** Longer texts are stored but not parsed: parsing them would block all other requests. */
const MAX_PARSED_CHARACTERS = 2_000_000

/** Generators never nest this deeply. Deeper values could overflow the stack of recursive readers. */
const MAX_DEPTH = 64

const isShallow = (value: unknown, depth = 0): boolean => {
  if (typeof value !== 'object' || value === null) return true
  if (depth === MAX_DEPTH) return false
  return Object.values(value).every((inner) => isShallow(inner, depth + 1))
}

/** Returns integers that a number would round as text, as they were written. */
const withAllDigits = (_key: string, value: unknown, written?: { source?: string }): unknown =>
  typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)
    ? (written?.source ?? value)
    : value

const parse = (text: string, keepsDigits: boolean): unknown => {
  try {
    // Checks for long numbers first, because a reviver is called for every value.
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

/** Returns true if a text is standard JSON, without Python's additions. */
export const isJson = (text: string): boolean => parse(text, false) !== undefined

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns the text of a string, number or boolean. `''` for objects: they may contain a `toString` that is no function. */
export const plainText = (value: unknown): string =>
  typeof value === 'object' ? '' : String(value)

/**
 * Parses an object from untrusted JSON. null: the text is broken, too long, too deeply nested, or not an object.
 *
 * @param options.keepsDigits - True returns integers beyond 2^53 as text with all digits.
 */
export const parseEmbeddedJson = (
  text: string | undefined,
  { keepsDigits = false }: { keepsDigits?: boolean } = {},
): Record<string, unknown> | null => {
  if (text === undefined || text.length > MAX_PARSED_CHARACTERS) return null
  const value = parse(text, keepsDigits) ?? parseWithNan(text, keepsDigits)
  return isObject(value) && isShallow(value) ? value : null
}
