import { del, set, entries as storedEntries } from 'idb-keyval'
import { readOrCreate } from '#gallery/api/browser-storage.ts'
import { type Clock, sleep, Timer } from '#gallery/api/clock.ts'
import type { Entry } from './outbox-state.ts'

/** The unconfirmed changes of one tab, as stored in IndexedDB. */
interface Page {
  readonly savedAt: number
  readonly entries: readonly PackedEntry[]
}

/** An entry with its targets joined by newlines. Browsers clone one long string much faster than 10,000 short ones. */
interface PackedEntry extends Omit<Entry, 'targets'> {
  readonly targets: string
}

const PREFIX = 'tessera:outbox:'
const TAB_KEY = 'tessera:tab'

/** A tab that saved nothing for so many milliseconds counts as closed. Timers of hidden tabs run once a minute. */
const ABANDONED_AFTER_MS = 150_000

/** How often a tab with unconfirmed changes refreshes its stored ones, in milliseconds. */
const HEARTBEAT_MS = 30_000

/** The stored unconfirmed changes of this tab. */
export class OutboxStorage {
  readonly #clock: Clock
  readonly #heartbeat: Timer
  readonly #tab = tabKey()
  #entriesToSave: readonly Entry[] = []
  #isWriting = false
  #mustWriteAgain = false

  constructor(clock: Clock) {
    this.#clock = clock
    this.#heartbeat = new Timer(clock)
  }

  /** Stores the unconfirmed changes of this tab. Replaces the previous ones. */
  save(entries: readonly Entry[]): void {
    this.#entriesToSave = entries
    if (this.#entriesToSave.length === 0) this.#heartbeat.stop()
    else this.#heartbeat.start(HEARTBEAT_MS, () => this.save(this.#entriesToSave))
    if (this.#isWriting) this.#mustWriteAgain = true
    else void this.#write()
  }

  /** Returns the unconfirmed changes of this tab and of closed tabs. Deletes those of the closed tabs. */
  async load(): Promise<Entry[]> {
    try {
      const pages = (await storedEntries<string, Page>()).filter(([key]) =>
        String(key).startsWith(PREFIX),
      )
      const now = this.#clock.now()
      const abandoned = pages.filter(
        ([key, { savedAt }]) => key === this.#tab || savedAt + ABANDONED_AFTER_MS < now,
      )
      await Promise.all(abandoned.map(([key]) => (key === this.#tab ? undefined : del(key))))
      return abandoned.flatMap(([, { entries }]) => entries.map(unpacked))
    } catch {
      // Storage is unavailable: unconfirmed changes are lost on reload.
      return []
    }
  }

  async #write(): Promise<void> {
    this.#isWriting = true
    try {
      do {
        // Let the browser paint the optimistic update first.
        await sleep(this.#clock, 0)
        this.#mustWriteAgain = false
        if (this.#entriesToSave.length === 0) await del(this.#tab)
        else
          await set(this.#tab, {
            savedAt: this.#clock.now(),
            entries: this.#entriesToSave.map(packed),
          } satisfies Page)
      } while (this.#mustWriteAgain)
    } catch {
      // Storage is unavailable.
    } finally {
      this.#isWriting = false
    }
  }
}

const packed = (entry: Entry): PackedEntry => ({ ...entry, targets: entry.targets.join('\n') })

const unpacked = (entry: PackedEntry): Entry => ({ ...entry, targets: entry.targets.split('\n') })

/** Returns the key of this tab. It survives a reload. */
export const tabKey = (): string => {
  const create = () => `${PREFIX}${Math.random().toString(36).slice(2)}`
  return readOrCreate(TAB_KEY, create, 'sessionStorage')
}
