import { del, set, entries as storedEntries } from 'idb-keyval'
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

/** A tab that saved nothing for this long counts as closed, in milliseconds. Timers of hidden tabs run once a minute. */
const ABANDONED_AFTER_MS = 150_000

/** How often a tab with unconfirmed changes refreshes its journal, in milliseconds. */
const HEARTBEAT_MS = 30_000

const tab = tabKey()
let entriesToSave: readonly Entry[] = []
let isWriting = false
let mustWriteAgain = false
let heartbeat: ReturnType<typeof setInterval> | undefined

/** Writes the unconfirmed changes to the journal of this tab. Replaces the previous ones. */
export function saveJournal(entries: readonly Entry[]): void {
  entriesToSave = entries
  if (entriesToSave.length === 0) {
    clearInterval(heartbeat)
    heartbeat = undefined
  } else {
    heartbeat ??= setInterval(() => saveJournal(entriesToSave), HEARTBEAT_MS)
  }
  if (isWriting) mustWriteAgain = true
  else void write()
}

/**
 * Returns the unconfirmed changes of this tab from before its reload, and those of closed tabs. Deletes the journals
 * of the closed tabs.
 */
export async function loadJournal(): Promise<Entry[]> {
  try {
    const pages = (await storedEntries<string, Page>()).filter(([key]) =>
      String(key).startsWith(PREFIX),
    )
    const now = Date.now()
    const abandoned = pages.filter(
      ([key, { savedAt }]) => key === tab || savedAt + ABANDONED_AFTER_MS < now,
    )
    await Promise.all(abandoned.map(([key]) => (key === tab ? undefined : del(key))))
    return abandoned.flatMap(([, { entries }]) => entries.map(unpacked))
  } catch {
    // Storage is unavailable: unconfirmed changes are lost on reload.
    return []
  }
}

async function write(): Promise<void> {
  isWriting = true
  try {
    do {
      // Let the browser paint the optimistic update first.
      await new Promise((resolve) => setTimeout(resolve))
      mustWriteAgain = false
      if (entriesToSave.length === 0) await del(tab)
      else
        await set(tab, { savedAt: Date.now(), entries: entriesToSave.map(packed) } satisfies Page)
    } while (mustWriteAgain)
  } catch {
    // Storage is unavailable.
  } finally {
    isWriting = false
  }
}

const packed = (entry: Entry): PackedEntry => ({ ...entry, targets: entry.targets.join('\n') })
const unpacked = (entry: PackedEntry): Entry => ({ ...entry, targets: entry.targets.split('\n') })

/** Returns the journal key of this tab. It survives a reload. */
function tabKey(): string {
  const fresh = `${PREFIX}${Math.random().toString(36).slice(2)}`
  try {
    const known = window.sessionStorage.getItem('tessera:tab')
    if (known === null) window.sessionStorage.setItem('tessera:tab', fresh)
    return known ?? fresh
  } catch {
    return fresh
  }
}
