/** Characters that Windows forbids, control characters and direction marks. */
const forbidden = /[<>:"/\\|?*\p{Cc}\u202a-\u202e\u2066-\u2069]/gu
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

const encoder = new TextEncoder()
const room = new Uint8Array(MAX_STEM_BYTES)

/** Cuts a text to the byte limit without splitting a character. */
const cut = (text: string): string => text.slice(0, encoder.encodeInto(text, room).read)
