/** What Windows forbids in names, and what no name should hold. */
const forbidden = /[<>:"/\\|?*\p{Cc}\u202a-\u202e\u2066-\u2069]/gu
const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i

/** Leaves room for a number and two extensions within the 255 bytes that file systems take. */
const MAX_STEM_BYTES = 200

/** A name and its extension, dot included; `''`: it has none. */
export const splitName = (name: string): { stem: string; extension: string } => {
  const [, stem = name, extension = ''] = /^(.+)(\.[^. ]{1,10})$/.exec(name) ?? []
  return { stem, extension }
}

/**
 * A file or folder name that can be kept on Windows, macOS and Linux alike, as close to the given one as can be.
 *
 * @param otherwise - What it is called where nothing is left of it.
 */
export const safeFileName = (name: string, otherwise = 'image'): string => {
  const { stem, extension } = splitName(name.replaceAll(forbidden, '_'))
  const short = cut(stem.toWellFormed())
  const whole = `${short.replace(/[. ]+$/, '')}${extension}`.replace(/[. ]+$/, '').toWellFormed()
  if (whole === '' || whole.startsWith('.')) return `${otherwise}${whole}`
  return reserved.test(whole) ? `_${whole}` : whole
}

/** Whether a name is no path and leads nowhere else. */
export const isPlainName = (name: string): boolean =>
  name !== '' && name !== '.' && name !== '..' && !/[/\\:\0]/.test(name)

/** The same for names that are one file where case and the spelling of accents do not count. */
export const sameNameKey = (name: string): string => name.normalize('NFC').toLowerCase()

const encoder = new TextEncoder()
const room = new Uint8Array(MAX_STEM_BYTES)

/** As much of a text as fits, whole characters alone. */
const cut = (text: string): string => text.slice(0, encoder.encodeInto(text, room).read)
