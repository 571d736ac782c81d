import type { TokenKeeper } from '#client/index.ts'
import { readStored, store } from '#gallery/api/browser-storage.ts'
import { Listeners } from '#gallery/api/listeners.ts'

/** The localStorage key of the InvokeAI account token. All tabs share it, and it survives a restart. */
const KEY = 'tessera:account-token'

/** The token of the InvokeAI account. Without storage the user stays signed in until the page is closed. */
export class AccountToken implements TokenKeeper {
  readonly #changes = new Listeners<string | null>()
  /** Calls the listener when the user signs in or out in any tab, and when the token is renewed. */
  readonly onChange = this.#changes.add
  #token = readStored(KEY)

  get(): string | null {
    return this.#token
  }

  set(next: string | null): void {
    store(KEY, next)
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
