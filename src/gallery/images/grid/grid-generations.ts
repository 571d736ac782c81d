import { isNewestFirst } from '#gallery/api/answer/new-image-windows.ts'
import type { ImageView } from '#gallery/api/images/image-windows.ts'
import { localDay } from '#gallery/api/images/new-image-days.ts'
import { STARRED } from '#gallery/images/timeline/day-groups.ts'
import { type GenerationBlock, type Group, NO_GENERATIONS, UNGROUPED } from './grid-layout.ts'

/** Key of the group above all days for running generations whose images will appear elsewhere. */
export const IN_PROGRESS = 'being made'

/** Key of that group when all of its items have failed. */
export const FAILED = 'failed'

/** Returns true if generations are shown where their images appear: at the start of the grid or in today's group. */
export const areGenerationsInPlace = (
  view: ImageView,
  { isByDay, hasStarredHead }: { isByDay: boolean; hasStarredHead: boolean },
): boolean => isNewestFirst(view) && (isByDay || !hasStarredHead)

/** Returns the cells for running generations in an ungrouped view: before the first image, or in rows above. */
export const generationsInBlock = (
  cells: number,
  columns: number,
  isInPlace: boolean,
): GenerationBlock => ({
  key: UNGROUPED,
  cells: isInPlace ? cells : Math.ceil(cells / columns) * columns,
})

/** Returns the days with the cells of generations: in today's group or in one before all days, added if missing. */
export function generationsInDays(
  groups: readonly Group[],
  cells: number,
  isInPlace: boolean,
  { areAllFailed = false, now = new Date() } = {},
): { groups: readonly Group[]; generations: GenerationBlock } {
  if (cells === 0) return { groups, generations: NO_GENERATIONS }
  const shelf = areAllFailed ? FAILED : IN_PROGRESS
  const key = isInPlace ? localDay(now) : shelf
  const generations = { key, cells }
  if (groups.some((group) => group.key === key)) return { groups, generations }
  const at = isInPlace && groups[0]?.key === STARRED ? 1 : 0
  return { groups: groups.toSpliced(at, 0, { key, count: 0 }), generations }
}
