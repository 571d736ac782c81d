import { setTimeout as delay } from 'node:timers/promises'
import type { Import } from '#contract/import.ts'
import { progressLine } from './import-lines.ts'
import type { ImportPlace } from './import-place.ts'

/** How often a terminal's line is drawn anew, and how often one is written where there is no terminal. */
const DRAWN_MS = 250
const WRITTEN_MS = 10_000

/** Whether an import has ended, or waits for a person who has a command line and nothing else. */
const isOver = ({ state, error }: Import): boolean =>
  state === 'completed' || state === 'failed' || state === 'canceled' || isStuck({ state, error })

/** It paused by itself: the disk is full. */
export const isStuck = ({ state, error }: Pick<Import, 'state' | 'error'>): boolean =>
  state === 'paused' && error !== null

export interface Followed {
  done: Import
  /** It was stopped only while it waited for what arrives. */
  hasSeenAll: boolean
}

/**
 * Shows how far an import is until it ends, or waits for someone to make room: it is ended in order then, as it is
 * by `stop`.
 */
export async function followImport(
  place: ImportPlace,
  started: Import,
  stop: AbortSignal,
): Promise<Followed> {
  const line = progressWriter()
  let now = started
  let hasSeenAll = false
  while (!isOver(now)) {
    line.show(now)
    await delay(DRAWN_MS, undefined, { signal: stop }).catch(() => {})
    hasSeenAll ||= now.state === 'watching'
    now = await (stop.aborted ? place.cancel(now.import_id) : place.get(now.import_id))
  }
  line.clear()
  const done = isStuck(now) ? { ...(await place.cancel(now.import_id)), error: now.error } : now
  return { done, hasSeenAll }
}

/** One line that is drawn over and over on a terminal; elsewhere a line now and then. */
function progressWriter() {
  const { stdout } = process
  let writtenAt = performance.now()
  return {
    show: (now: Import) => {
      const text = progressLine(now)
      if (stdout.isTTY) stdout.write(`\r\u001b[K${text.slice(0, stdout.columns - 1)}`)
      else if (performance.now() - writtenAt > WRITTEN_MS) {
        writtenAt = performance.now()
        stdout.write(`${text}\n`)
      }
    },
    clear: () => {
      if (stdout.isTTY) stdout.write('\r\u001b[K')
    },
  }
}
