/** Extracts a path from pasted text. File managers add quotes or copy a `file://` URL. */
export function pathFromPaste(text: string): string {
  const plain = text.trim().replace(/^(["'“])(.*)["'”]$/s, '$2')
  if (!/^file:\/\//i.test(plain)) return plain
  try {
    return decodeURIComponent(new URL(plain).pathname).replace(/^\/([a-z]:)/i, '$1')
  } catch {
    return plain
  }
}
