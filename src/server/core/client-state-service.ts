import { MAX_CLIENT_STATE_KEYS, MAX_CLIENT_STATE_LENGTH } from '#contract/limits.ts'
import type { ClientStateRecords } from './record-ports.ts'
import { Refusal } from './refusal.ts'

/** Stores texts for clients by key, within the limits of `MAX_CLIENT_STATE_LENGTH` and `MAX_CLIENT_STATE_KEYS`. */
export class ClientStateService {
  readonly #records: ClientStateRecords

  constructor(records: ClientStateRecords) {
    this.#records = records
  }

  /** Returns null if the key has no value. */
  get(key: string): Promise<string | null> {
    return this.#records.get(key)
  }

  /** Returns the keys that begin with `prefix`, in order. */
  keys(prefix: string): Promise<string[]> {
    return this.#records.keys(prefix)
  }

  /** Deletes the value of a key, or all values if `key` is null. */
  delete(key: string | null): Promise<void> {
    return this.#records.delete(key)
  }

  /**
   * Sets or replaces the value of a key.
   *
   * @throws {Refusal} `body_too_large`: the text is too long, or the maximum number of keys is reached.
   */
  async set(key: string, value: string): Promise<void> {
    if (value.length > MAX_CLIENT_STATE_LENGTH) {
      throw new Refusal(
        'body_too_large',
        `At most ${MAX_CLIENT_STATE_LENGTH} characters are kept under a key.`,
      )
    }
    const isKept = await this.#records.set(key, value, { maxKeys: MAX_CLIENT_STATE_KEYS })
    if (!isKept) {
      throw new Refusal('body_too_large', `At most ${MAX_CLIENT_STATE_KEYS} keys are kept.`)
    }
  }
}
