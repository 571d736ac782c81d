import { del, set, entries as storedEntries } from 'idb-keyval'
import type { Entry } from './outbox-state.ts'

/** What one tab had not got confirmed. */
interface Page {
  readonly savedAt: number
  readonly entries: readonly PackedEntry[]
}

/** With its targets as lines: a browser copies one long text far faster than tens of thousands of short ones. */
interface PackedEntry extends Omit<Entry, 'targets'> {
  readonly targets: string
}

const PREFIX = 'tessera:outbox:'

/** After that a tab that saved nothing is taken for closed, in milliseconds. Hidden tabs run once a minute. */
const ABANDONED_AFTER_MS = 150_000

/** How often a tab with something to send says that it is there, in milliseconds. */
const SIGN_OF_LIFE_MS = 30_000

const tab = tabKey()
let kept: readonly Entry[] = []
let isWriting = false
let mustWriteAgain = false
let signsOfLife: ReturnType<typeof setInterval> | undefined

/** Keeps what is not confirmed, in the place of what was kept before. */
export function saveJournal(entries: readonly Entry[]): void {
  kept = entries
  if (kept.length === 0) {
    clearInterval(signsOfLife)
    signsOfLife = undefined
  } else {
    signsOfLife ??= setInterval(() => saveJournal(kept), SIGN_OF_LIFE_MS)
  }
  if (isWriting) mustWriteAgain = true
  else void write()
}

/** What this tab had not got confirmed before its page was loaded again, and what closed tabs left behind. */
export async function loadJournal(): Promise<Entry[]> {
  try {
    const pages = (await storedEntries<string, Page>()).filter(([key]) =>
      String(key).startsWith(PREFIX),
    )
    const now = Date.now()
    const left = pages.filter(
      ([key, { savedAt }]) => key === tab || savedAt + ABANDONED_AFTER_MS < now,
    )
    await Promise.all(left.map(([key]) => (key === tab ? undefined : del(key))))
    return left.flatMap(([, { entries }]) => entries.map(unpacked))
  } catch {
    // A browser that keeps nothing: what was under way when the page was left is lost.
    return []
  }
}

async function write(): Promise<void> {
  isWriting = true
  try {
    do {
      // What has just been done is drawn first.
      await new Promise((resolve) => setTimeout(resolve))
      mustWriteAgain = false
      if (kept.length === 0) await del(tab)
      else await set(tab, { savedAt: Date.now(), entries: kept.map(packed) } satisfies Page)
    } while (mustWriteAgain)
  } catch {
    // See above.
  } finally {
    isWriting = false
  }
}

const packed = (entry: Entry): PackedEntry => ({ ...entry, targets: entry.targets.join('\n') })
const unpacked = (entry: PackedEntry): Entry => ({ ...entry, targets: entry.targets.split('\n') })

/** The same after a reload, another one in each tab. */
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
