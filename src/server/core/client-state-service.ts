import { MAX_CLIENT_STATE_KEYS, MAX_CLIENT_STATE_LENGTH } from '#contract/limits.ts'
import type { ClientStateRecords } from './record-ports.ts'
import { Refusal } from './refusal.ts'

/** What clients keep on the server for themselves (wire 8): text by key, so much and no more. */
export class ClientStateService {
  readonly #records: ClientStateRecords

  constructor(records: ClientStateRecords) {
    this.#records = records
  }

  /** null: nothing was kept under this key. */
  get(key: string): Promise<string | null> {
    return this.#records.get(key)
  }

  /** The keys that begin with `prefix`, in order. */
  keys(prefix: string): Promise<string[]> {
    return this.#records.keys(prefix)
  }

  /** Deletes what is kept under a key, or everything for null. */
  delete(key: string | null): Promise<void> {
    return this.#records.delete(key)
  }

  /**
   * Keeps a text, in place of what was there.
   *
   * @throws {Refusal} `body_too_large`: the text is too long, or there are as many keys as there may be.
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
