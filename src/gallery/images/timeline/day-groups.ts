import type { ImageDays, ImageRecord } from '#contract/image.ts'
import type { ImageView } from '#gallery/api/images/image-windows.ts'
import { localDay } from '#gallery/api/images/new-image-days.ts'
import type { Group } from '#gallery/images/grid/grid-layout.ts'

/** Key of the group of starred images before all days. */
export const STARRED = 'starred'

/** First and last known position of each day. */
export type Observed = Map<string, { readonly first: number; readonly last: number }>

/** Returns the day of an image in the view's order, as `YYYY-MM-DD` in local time. */
export function dayOf(record: ImageRecord, orderBy: ImageView['orderBy']): string {
  const time = (orderBy === 'taken_at' && record.taken_at) || record.created_at
  return localDay(new Date(`${time.replace(' ', 'T')}Z`))
}

/** Extends the known positions of a day by the position of a loaded image. */
export function observeDay(observed: Observed, day: string, position: number): void {
  const { first = position, last = position } = observed.get(day) ?? {}
  observed.set(day, { first: Math.min(first, position), last: Math.max(last, position) })
}

/** Returns the number of images in all days and in the starred group. */
export const totalOf = ({ starred_count, days }: ImageDays): number =>
  days.reduce((sum, { count }) => sum + count, starred_count)

/**
 * Returns the groups of a view: the server's counts, corrected by the loaded images. After a delete, or before an
 * upload is counted, the loaded images define where their days begin and end, so that no image appears under the
 * heading of another day.
 *
 * @param total - Current number of images in the view.
 * @param observed - Known positions of days. Without starred images if these come first.
 */
export function groupsOf(
  { starred_count, days }: ImageDays,
  total: number,
  observed: Observed,
  orderDir: 'ASC' | 'DESC',
): Group[] {
  const counted = [{ key: STARRED, count: starred_count }]
  for (const { day, count } of withObserved(days, observed, orderDir)) {
    counted.push({ key: day, count })
  }
  // A day begins after all known positions of earlier days, and before those of later ones.
  const latest = Array.from(counted, () => total)
  let bound = total
  for (let at = counted.length - 1; at >= 0; at -= 1) {
    bound = Math.min(bound, observed.get(counted[at]?.key ?? '')?.first ?? total)
    latest[at] = bound
  }
  const begins: number[] = []
  let countedBefore = 0
  let earliest = 0
  for (const [at, { key, count }] of counted.entries()) {
    const begin = Math.max(earliest, Math.min(countedBefore, latest[at] ?? total))
    begins.push(at === 0 ? 0 : Math.min(begin, total))
    earliest = Math.max(earliest, (observed.get(key)?.last ?? -1) + 1)
    countedBefore += count
  }
  return counted
    .map(({ key }, at) => ({ key, count: (begins[at + 1] ?? total) - (begins[at] ?? 0) }))
    .filter(({ count }) => count > 0)
}

/** Returns the counted days and the observed days without a count, in view order. */
function withObserved(days: ImageDays['days'], observed: Observed, orderDir: 'ASC' | 'DESC') {
  const counted = new Set(days.map(({ day }) => day))
  const isNew = [...observed.keys()].filter((day) => !counted.has(day))
  if (isNew.length === 0) return days
  const all = [...days, ...isNew.map((day) => ({ day, count: 0 }))]
  return all.sort((a, b) => (a.day < b.day ? -1 : 1) * (orderDir === 'ASC' ? 1 : -1))
}
