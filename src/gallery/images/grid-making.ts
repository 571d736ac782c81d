import type { ImageView } from '#gallery/api/image-windows.ts'
import { isNewestFirst } from '#gallery/api/landed-windows.ts'
import { localDay } from '#gallery/api/local-day.ts'
import { STARRED } from './day-groups.ts'
import { type Group, type Making, NOTHING_MADE, UNGROUPED } from './grid-layout.ts'

/** The key of the group that stands above all days while images are made that belong elsewhere. */
export const BEING_MADE = 'being made'

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

/** The same by day: in today's group, else in one of their own before all days. It is added where it is missing. */
export function makingInDays(
  groups: readonly Group[],
  cells: number,
  isInPlace: boolean,
  now = new Date(),
): { groups: readonly Group[]; making: Making } {
  if (cells === 0) return { groups, making: NOTHING_MADE }
  const key = isInPlace ? localDay(now) : BEING_MADE
  const making = { key, cells }
  if (groups.some((group) => group.key === key)) return { groups, making }
  const at = isInPlace && groups[0]?.key === STARRED ? 1 : 0
  return { groups: groups.toSpliced(at, 0, { key, count: 0 }), making }
}
