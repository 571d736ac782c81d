/** Where a browser keeps what it is called. */
const KEY = 'tessera:client-id'

const BYTES = 16

/**
 * What this browser is called by a server that keeps one line for events for each of them (design 4): the
 * same in all its tabs and after a restart.
 */
export function clientId(): string {
  try {
    const kept = localStorage.getItem(KEY)
    if (kept !== null) return kept
    const made = newId()
    localStorage.setItem(KEY, made)
    return made
  } catch {
    // Storage is forbidden, or this is no browser: then it is called so until the page is left.
    return newId()
  }
}

/** Not `randomUUID`, which a page on plain http does not have. */
const newId = (): string =>
  [...crypto.getRandomValues(new Uint8Array(BYTES))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
