import { useState } from 'react'
import type { ImageDays } from '#contract/image.ts'
import {
  type ImageView,
  type ImageWindow,
  type ImageWindows,
  WINDOW_SIZE,
} from '#gallery/api/images/image-windows.ts'
import type { Group } from '#gallery/images/grid/grid-layout.ts'
import { dayOf, groupsOf, type Observed, observeDay } from './day-groups.ts'

/** The groups of a view, and the input from which they were computed. */
export interface LearnedGroups {
  readonly groups: readonly Group[]
  readonly days: ImageDays
  readonly total: number
  readonly observed: Observed
  readonly windows: ImageWindows
}

/** Returns the days of a view as groups, and a function that corrects them by loaded windows during render. */
export function useDayGroups(
  view: ImageView,
): [
  groups: readonly Group[] | null,
  learn: (days: ImageDays, total: number, windows: ImageWindows) => void,
] {
  const [learned, setLearned] = useState<LearnedGroups | null>(null)
  const learn = (days: ImageDays, total: number, windows: ImageWindows) => {
    const next = learnGroups(learned, view, { days, total, windows })
    if (next !== learned) setLearned(next)
  }
  return [learned?.groups ?? null, learn]
}

/** Returns the groups corrected by the windows that were not known before; the same object if there are none. */
export function learnGroups(
  before: LearnedGroups | null,
  view: ImageView,
  { days, total, windows }: { days: ImageDays; total: number; windows: ImageWindows },
): LearnedGroups {
  const isOutdated = [...windows].some(([index, window]) => {
    const known = before?.windows.get(index)
    return known !== undefined && known !== window
  })
  const same = before !== null && before.total === total && !isOutdated ? before : null
  const fresh = [...windows].filter(([index]) => !same?.windows.has(index))
  if (same?.days === days && fresh.length === 0) return same
  const observed: Observed = new Map(same?.observed)
  for (const [index, window] of fresh) observeWindow(observed, view, days, index, window)
  const next = groupsOf(days, total, observed, view.orderDir)
  const groups = before && areEqual(before.groups, next) ? before.groups : next
  return { groups, days, total, observed, windows: new Map([...(same?.windows ?? []), ...fresh]) }
}

function observeWindow(
  observed: Observed,
  { orderBy, starredFirst }: ImageView,
  { starred_count }: ImageDays,
  index: number,
  { items }: ImageWindow,
) {
  for (const [offset, record] of items.entries()) {
    const position = index * WINDOW_SIZE + offset
    if (record === undefined) continue
    // It is in the starred group or was just starred, so its position says nothing about its day.
    if (starredFirst && record.starred) continue
    // Its star was just removed, and it is still in the starred group.
    if (starredFirst && position < starred_count && isAmongStarred(items, offset)) continue
    observeDay(observed, dayOf(record, orderBy), position)
  }
}

const isAmongStarred = (items: ImageWindow['items'], offset: number): boolean =>
  items.slice(offset + 1).some((record) => record?.starred)

const areEqual = (a: readonly Group[], b: readonly Group[]): boolean =>
  a.length === b.length &&
  a.every(({ key, count }, at) => b[at]?.key === key && b[at]?.count === count)
