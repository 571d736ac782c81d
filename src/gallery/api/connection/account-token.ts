import type { TokenKeeper } from '#client/index.ts'

/** The localStorage key of the InvokeAI account token. All tabs share it, and it survives a restart. */
const KEY = 'tessera:account-token'

type Listener = (token: string | null) => void

const listeners = new Set<Listener>()
let token = kept()

/** The token of the InvokeAI account that this browser is signed in to. */
export const accountToken: TokenKeeper = {
  get: () => token,
  set: (next) => {
    keep(next)
    change(next)
  },
}

/** Subscribes to the token. The listener is called when the user signs in or out in any tab, and when it is renewed. */
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
    // Storage is unavailable: the user stays signed in until the page is closed.
    return null
  }
}

function keep(next: string | null): void {
  try {
    if (next === null) localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, next)
  } catch {
    // Storage is unavailable.
  }
}
