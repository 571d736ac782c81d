/**
 * A path as a person pastes it: file managers put quotes around it or make an address of
 * it.
 */
export function pathFromPaste(text: string): string {
  const plain = text.trim().replace(/^(["'“])(.*)["'”]$/s, '$2')
  if (!/^file:\/\//i.test(plain)) return plain
  try {
    return decodeURIComponent(new URL(plain).pathname).replace(/^\/([a-z]:)/i, '$1')
  } catch {
    return plain
  }
}
