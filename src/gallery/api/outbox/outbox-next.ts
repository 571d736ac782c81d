import { groupOf } from '#gallery/api/duplicate-requests.ts'
import { type Aspect, type Entry, isTagAspect, type Outbox, type Request } from './outbox-state.ts'

/**
 * Returns the requests that can be sent now, the one with the oldest change first. Changes with the same aspect and
 * wanted value share a request up to `maxTargets`. An entry above that limit gets a separate request.
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
 * Returns the entries that need not wait for an earlier one, although requests of another rate limit can overtake:
 *
 * - Emptying the trash runs after all earlier changes of the trash and before all later ones. It thus deletes exactly
 *   the items that the user saw in the trash.
 * - A board is trashed or restored after all earlier changes of images, and before all later ones.
 * - A group of duplicates is resolved after all earlier changes of its images: the kept one gets their stars and ratings.
 *   Later changes of the kept one come after that, and those of all its images after its Undo.
 * - An image is restored or trashed before its later changes: the server does not change images in the trash.
 */
function inTurn(waiting: Outbox['waiting']): readonly Entry[] {
  let hasTrashed = false
  let hasEmptied = false
  let hasChangedImages = false
  let hasTrashedBoards = false
  let hasResolved = false
  const ofImages: Entry[] = []
  /** Changes before which later ones of their targets must not be sent. */
  const first: Entry[] = []
  return waiting.filter((entry) => {
    const { aspect } = entry
    if (aspect === 'trash_emptied') {
      const isItsTurn = !hasTrashed && !hasEmptied
      hasEmptied = true
      return isItsTurn
    }
    if (aspect === 'board_trashed') {
      const isItsTurn = !hasEmptied && !hasChangedImages && !hasResolved
      hasTrashed = true
      hasTrashedBoards = true
      return isItsTurn
    }
    if (aspect === 'duplicates_resolved') {
      hasTrashed = true
      hasResolved = true
      const whole = inGroups(entry)
      const mustWait = ofImages.some((earlier) => haveCommonTargets(whole, earlier))
      first.push(entry.wanted === true ? inGroups(entry, 1) : whole)
      return !hasEmptied && !hasTrashedBoards && !mustWait
    }
    if (!isOfImages(aspect)) return true
    ofImages.push(entry)
    hasChangedImages = true
    const mustWait = hasTrashedBoards || first.some((earlier) => haveCommonTargets(earlier, entry))
    if (aspect !== 'trashed') return !mustWait
    hasTrashed = true
    first.push(entry)
    return !mustWait && !hasEmptied
  })
}

const isOfImages = (aspect: Aspect): boolean =>
  ['starred', 'rating', 'board', 'trashed'].includes(aspect) || isTagAspect(aspect)

/** Returns an entry with the images of its groups as targets, or with the first `count` of each. The kept one is first. */
const inGroups = (entry: Entry, count?: number): Entry => ({
  ...entry,
  targets: entry.targets.flatMap((target) => groupOf(target).names.slice(0, count)),
})

function haveCommonTargets(one: Entry, other: Entry): boolean {
  if (one.aspect === other.aspect) return false
  const targets = new Set(one.targets)
  return other.targets.some((target) => targets.has(target))
}

/** Returns the time when the next delayed change can be sent; null if no change is delayed. */
export function nextHeldUntil({ waiting }: Outbox, now: number): number | null {
  const times = waiting.flatMap(({ heldUntil }) => (heldUntil > now ? [heldUntil] : []))
  return times.length === 0 ? null : Math.min(...times)
}
