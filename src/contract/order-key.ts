import { MAX_POSITION_LENGTH } from './limits.ts'

/** The key before which no other fits. */
const SMALLEST = `A${'0'.repeat(26)}`

/**
 * Returns true if a text is a key of the library `fractional-indexing`: an integer part, whose first letter tells its
 * length, and a fraction that does not end with 0. Clients compute a key between any two of these.
 */
export function isOrderKey(key: string): boolean {
  if (key.length > MAX_POSITION_LENGTH || !/^[A-Za-z][0-9A-Za-z]+$/.test(key)) return false
  const head = key.charAt(0)
  const integerLength = head >= 'a' ? 2 + distance('a', head) : 2 + distance(head, 'Z')
  const hasTrailingZero = key.length > integerLength && key.endsWith('0')
  return key.length >= integerLength && !hasTrailingZero && key !== SMALLEST
}

const distance = (from: string, to: string): number => to.charCodeAt(0) - from.charCodeAt(0)
