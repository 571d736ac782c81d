import type { TokenKeeper } from '#client/index.ts'
import { Listeners } from '#gallery/api/listeners.ts'

/** The localStorage key of the InvokeAI account token. All tabs share it, and it survives a restart. */
const KEY = 'tessera:account-token'

/** The token of the InvokeAI account that this browser is signed in to. */
export class AccountToken implements TokenKeeper {
  readonly #changes = new Listeners<string | null>()
  /** Calls the listener when the user signs in or out in any tab, and when the token is renewed. */
  readonly onChange = this.#changes.add
  #token = storedToken()

  get(): string | null {
    return this.#token
  }

  set(next: string | null): void {
    storeToken(next)
    this.#change(next)
  }

  /** Follows the changes of other tabs. */
  start(signal: AbortSignal): void {
    const follow = ({ key, newValue }: StorageEvent) => {
      if (key === KEY || key === null) this.#change(newValue)
    }
    window.addEventListener('storage', follow, { signal })
  }

  #change(next: string | null): void {
    if (next === this.#token) return
    this.#token = next
    this.#changes.emit(next)
  }
}

function storedToken(): string | null {
  try {
    return localStorage.getItem(KEY)
  } catch {
    // Storage is unavailable: the user stays signed in until the page is closed.
    return null
  }
}

function storeToken(next: string | null): void {
  try {
    if (next === null) localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, next)
  } catch {
    // Storage is unavailable.
  }
}
