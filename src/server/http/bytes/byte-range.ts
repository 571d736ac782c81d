import type { ByteRange } from '#server/core/intake/file-ports.ts'

/**
 * Parses a `Range` header (RFC 9110, section 14.2).
 *
 * @param bytes - Size of the whole representation.
 * @returns null: send everything. This includes invalid headers and several ranges, which a server may ignore.
 */
export const parseRange = (
  header: string | undefined,
  bytes: number,
): ByteRange | 'unsatisfiable' | null => {
  const [, first = '', last = ''] = /^\s*bytes=\s*(\d*)-(\d*)\s*$/i.exec(header ?? '') ?? []
  if (first === '' && last === '') return null
  const isSuffix = first === ''
  if (!isSuffix && last !== '' && Number(last) < Number(first)) return null
  const start = isSuffix ? Math.max(0, bytes - Number(last)) : Number(first)
  const end = isSuffix || last === '' ? bytes - 1 : Math.min(Number(last), bytes - 1)
  return start > end ? 'unsatisfiable' : { start, end }
}
