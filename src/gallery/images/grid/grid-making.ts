import type { ImageView } from '#gallery/api/images/image-windows.ts'
import { localDay } from '#gallery/api/images/landed-days.ts'
import { isNewestFirst } from '#gallery/api/images/landed-windows.ts'
import { STARRED } from '#gallery/images/timeline/day-groups.ts'
import { type Group, type Making, NOTHING_MADE, UNGROUPED } from './grid-layout.ts'

/** The key of the group above all days with images that are being made and will appear elsewhere. */
export const BEING_MADE = 'being made'

/** The key of that group when all of them failed. */
export const FAILED = 'failed'

/** Whether new images come in where the grid begins, or in the day of today: there they are shown being made. */
export const isMadeInPlace = (
  view: ImageView,
  { isByDay, hasStarredHead }: { isByDay: boolean; hasStarredHead: boolean },
): boolean => isNewestFirst(view) && (isByDay || !hasStarredHead)

/** Where the cells of images that are being made stand in one block: else in rows of their own above it. */
export const makingInBlock = (cells: number, columns: number, isInPlace: boolean): Making => ({
  key: UNGROUPED,
  cells: isInPlace ? cells : Math.ceil(cells / columns) * columns,
})

/** The same by day: in today's group, else in a separate group before all days. Adds the group if it is missing. */
export function makingInDays(
  groups: readonly Group[],
  cells: number,
  isInPlace: boolean,
  { areAllFailed = false, now = new Date() } = {},
): { groups: readonly Group[]; making: Making } {
  if (cells === 0) return { groups, making: NOTHING_MADE }
  const shelf = areAllFailed ? FAILED : BEING_MADE
  const key = isInPlace ? localDay(now) : shelf
  const making = { key, cells }
  if (groups.some((group) => group.key === key)) return { groups, making }
  const at = isInPlace && groups[0]?.key === STARRED ? 1 : 0
  return { groups: groups.toSpliced(at, 0, { key, count: 0 }), making }
}
