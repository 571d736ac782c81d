import { setTimeout as delay } from 'node:timers/promises'
import type { Import } from '#contract/import.ts'
import { progressLine } from './import-lines.ts'
import type { ImportPlace } from './import-place.ts'
import { progressWriter } from './progress-writer.ts'

/** How often a terminal's line is drawn anew. */
const DRAWN_MS = 250

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
  try {
    while (!isOver(now)) {
      line.show(progressLine(now))
      await delay(DRAWN_MS, undefined, { signal: stop }).catch(() => {})
      hasSeenAll ||= now.state === 'watching'
      now = await (stop.aborted ? place.cancel(now.import_id) : place.get(now.import_id))
    }
  } finally {
    line.clear()
  }
  const done = isStuck(now) ? { ...(await place.cancel(now.import_id)), error: now.error } : now
  return { done, hasSeenAll }
}
