/** Characters that Windows forbids, control characters, line separators and direction marks. */
const forbidden = /[<>:"/\\|?*\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/gu
const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i

/** Leaves room for a number and two extensions within the 255 bytes that file systems allow. */
const MAX_STEM_BYTES = 200

/** Splits a name into stem and extension, dot included; `''` if it has none. */
export const splitName = (name: string): { stem: string; extension: string } => {
  const [, stem = name, extension = ''] = /^(.+)(\.[^. ]{1,10})$/.exec(name) ?? []
  return { stem, extension }
}

/**
 * Returns the closest file or folder name that is valid on Windows, macOS and Linux.
 *
 * @param otherwise - Name to use if nothing remains.
 */
export const safeFileName = (name: string, otherwise = 'image'): string => {
  const { stem, extension } = splitName(name.replaceAll(forbidden, '_'))
  const short = cut(stem.toWellFormed())
  const whole = `${short.replace(/[. ]+$/, '')}${extension}`.replace(/[. ]+$/, '').toWellFormed()
  if (whole === '' || whole.startsWith('.')) return `${otherwise}${whole}`
  return reserved.test(whole) ? `_${whole}` : whole
}

/** True if a name is not a path and cannot lead to another folder. */
export const isPlainName = (name: string): boolean =>
  name !== '' && name !== '.' && name !== '..' && !/[/\\:\0]/.test(name)

/** Returns a key that is equal for names of the same file on systems that ignore case and Unicode normalization. */
export const sameNameKey = (name: string): string => name.normalize('NFC').toLowerCase()

/** Cuts a text to the byte limit without splitting a character. */
const cut = (text: string): string => {
  let [bytes, end] = [0, 0]
  for (const character of text) {
    bytes += utf8Length(character.codePointAt(0) ?? 0)
    if (bytes > MAX_STEM_BYTES) break
    end += character.length
  }
  return text.slice(0, end)
}

const utf8Length = (codePoint: number): number => {
  if (codePoint < 0x80) return 1
  if (codePoint < 0x800) return 2
  return codePoint < 0x10000 ? 3 : 4
}
