const MAX_LENGTH = 255

/** Control characters and direction marks, which can make `gpj.exe` look like `exe.jpg`. */
const unseen = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069\u061c\ufeff]/gu

/** Shortens a name, keeping the extension and splitting no surrogate pair. */
const shorten = (name: string): string => {
  if (name.length <= MAX_LENGTH) return name
  const extension = /\.[^.]{1,10}$/.exec(name)?.[0] ?? ''
  const shortened = name.slice(0, MAX_LENGTH - extension.length).replace(/[\ud800-\udbff]$/, '')
  return shortened + extension
}

/** Removes folders, control characters and direction marks, and all beyond 255 characters. Null if nothing remains. */
export const cleanFileName = (fileName: string | null | undefined): string | null => {
  const lastPart = (fileName ?? '').toWellFormed().split(/[\\/]/).at(-1) ?? ''
  const name = lastPart.replaceAll(unseen, '').normalize('NFC').trim()
  return name === '' || /^\.+$/.test(name) ? null : shorten(name)
}
