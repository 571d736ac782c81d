const MAX_LENGTH = 255

/** Marks that turn the reading direction: they can make `gpj.exe` read as `exe.jpg`. */
const unseen = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069\u061c\ufeff]/gu

/** Cuts in the middle of nothing: the extension stays, and no letter is halved. */
const shorten = (name: string): string => {
  if (name.length <= MAX_LENGTH) return name
  const extension = /\.[^.]{1,10}$/.exec(name)?.[0] ?? ''
  const kept = name.slice(0, MAX_LENGTH - extension.length).replace(/[\ud800-\udbff]$/, '')
  return kept + extension
}

/**
 * The name of an uploaded file as it is kept: without folders, control characters and direction marks,
 * 255 characters at most, and otherwise as the person knows it. null: nothing is left of it.
 */
export const cleanFileName = (fileName: string | null | undefined): string | null => {
  const lastPart = (fileName ?? '').toWellFormed().split(/[\\/]/).at(-1) ?? ''
  const name = lastPart.replaceAll(unseen, '').normalize('NFC').trim()
  return name === '' || /^\.+$/.test(name) ? null : shorten(name)
}
