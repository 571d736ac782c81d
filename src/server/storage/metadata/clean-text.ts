/** Text as databases and search take it: no NUL, no half of a surrogate pair. */
export const cleanText = (text: string): string =>
  text.includes('\0') ? text.replaceAll('\0', '').toWellFormed() : text.toWellFormed()
