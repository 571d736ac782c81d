import type { TokenKeeper } from '#client/index.ts'

/** Where a browser keeps the token of an InvokeAI account: it outlives a restart, and all tabs have it. */
const KEY = 'tessera:account-token'

type Listener = (token: string | null) => void

const listeners = new Set<Listener>()
let token = kept()

/** The token of the account that this browser is signed in to (wire 7). */
export const accountToken: TokenKeeper = {
  get: () => token,
  set: (next) => {
    keep(next)
    change(next)
  },
}

/** Calls back when somebody signs in or out, in whichever tab, and with each newer token. */
export function onAccountToken(listener: Listener): void {
  listeners.add(listener)
}

if ('document' in globalThis) {
  window.addEventListener('storage', ({ key, newValue }) => {
    if (key === KEY || key === null) change(newValue)
  })
}

function change(next: string | null): void {
  if (next === token) return
  token = next
  for (const listener of listeners) listener(next)
}

function kept(): string | null {
  try {
    return localStorage.getItem(KEY)
  } catch {
    // Storage is forbidden, or this is no browser: one is signed in until the page is left.
    return null
  }
}

function keep(next: string | null): void {
  try {
    if (next === null) localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, next)
  } catch {
    // See above.
  }
}
