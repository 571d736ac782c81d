import type { Aspect, Entry, Outbox, Request } from './outbox-state.ts'

/**
 * The requests that may go now, the one with the oldest change first. Each has all changes that fit into
 * it: those of one aspect with one wanted value. An entry that is too large fits by itself.
 */
export function nextRequests(
  { waiting }: Outbox,
  { now, maxTargets }: { now: number; maxTargets: (aspect: Aspect) => number },
): Request[] {
  const due = inTurn(waiting).filter(({ heldUntil }) => heldUntil <= now)
  const groups = Map.groupBy(due, ({ aspect, wanted }) => JSON.stringify([aspect, wanted]))
  return [...groups.values()].flatMap((group) => {
    const first = group[0]
    if (first === undefined) return []
    const { aspect, wanted } = first
    let left = maxTargets(aspect)
    const entries = group.filter((entry) => {
      left -= entry.targets.length
      return entry === first || left >= 0
    })
    return [{ aspect, wanted, entries }]
  })
}

/**
 * Those that need not wait for another one. Emptying the trash comes after all that went there or came
 * back before it, and before all that goes there later: it deletes what a person saw that it would.
 */
function inTurn(waiting: Outbox['waiting']): readonly Entry[] {
  let hasTrashed = false
  let hasEmptied = false
  return waiting.filter(({ aspect }) => {
    if (aspect === 'trash_emptied') {
      const isItsTurn = !hasTrashed && !hasEmptied
      hasEmptied = true
      return isItsTurn
    }
    if (aspect !== 'trashed' && aspect !== 'board_trashed') return true
    hasTrashed = true
    return !hasEmptied
  })
}

/** When the next of those that are held back may go; null where none is. */
export function nextHeldUntil({ waiting }: Outbox, now: number): number | null {
  const times = waiting.flatMap(({ heldUntil }) => (heldUntil > now ? [heldUntil] : []))
  return times.length === 0 ? null : Math.min(...times)
}
