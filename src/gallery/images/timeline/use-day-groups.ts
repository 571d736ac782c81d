import { useRef, useState } from 'react'
import type { ImageDays } from '#contract/image.ts'
import {
  type ImageView,
  type ImageWindow,
  type ImageWindows,
  WINDOW_SIZE,
} from '#gallery/api/images/image-windows.ts'
import type { Group } from '#gallery/images/grid/grid-layout.ts'
import { dayOf, groupsOf, type Observed, observeDay } from './day-groups.ts'

/** The input from which the groups were last computed. */
interface Basis {
  days: ImageDays
  total: number
  observed: Observed
  readonly windows: Map<number, ImageWindow>
}

/** Returns the days of a view as groups, and a function that corrects them by loaded windows. */
export function useDayGroups(
  view: ImageView,
): [
  groups: readonly Group[] | null,
  learn: (days: ImageDays, total: number, windows: ImageWindows) => void,
] {
  const basis = useRef<Basis | null>(null)
  const [groups, setGroups] = useState<readonly Group[] | null>(null)

  /** Called during render when windows are loaded. Returns early if nothing is new. */
  function learn(days: ImageDays, total: number, windows: ImageWindows) {
    const before = basis.current
    const isOutdated = [...windows].some(([index, window]) => {
      const known = before?.windows.get(index)
      return known !== undefined && known !== window
    })
    const isSame = before !== null && before.total === total && !isOutdated
    const observed: Observed = isSame ? before.observed : new Map()
    const known = isSame ? before.windows : new Map<number, ImageWindow>()
    let isNews = !isSame || before.days !== days
    for (const [index, window] of windows) {
      if (known.has(index)) continue
      known.set(index, window)
      observeWindow(observed, view, days, index, window)
      isNews = true
    }
    if (!isNews) return
    basis.current = { days, total, observed, windows: known }
    const next = groupsOf(days, total, observed, view.orderDir)
    if (groups === null || !areEqual(groups, next)) setGroups(next)
  }

  return [groups, learn]
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
