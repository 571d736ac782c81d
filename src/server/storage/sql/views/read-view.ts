import { IMAGES_PER_RATIO_SUM, STARRED_GROUP } from '#contract/image-ratio.ts'
import type { RatioGroup } from '#contract/image-ratios.ts'
import type { PageWindow, View } from '#server/core/images/image-ports.ts'
import { getViewedBoardKey } from '#server/storage/sql/boards/read-boards.ts'
import { listRecordsByIds } from '#server/storage/sql/images/image-records.ts'
import { type PackedNames, packNames } from '#server/storage/sql/packed-names.ts'
import { readPacked } from '#server/storage/sql/packed-rows.ts'
import type { ReadView, ViewReading } from '#server/storage/sql/unit-types.ts'
import { calendarOf, DAY_MS } from './calendar.ts'
import { getOrderKey, type OpenedView } from './opened-view.ts'

/** null: the image that the page should follow does not exist. */
export const pageOf = async (reading: ViewReading, view: View, window: PageWindow) => {
  const opened = await reading.openView(view)
  const ids = await idsOf(reading, view, opened, window)
  if (ids === null) return null
  const items = await readPacked(ids, (part) => listRecordsByIds(reading.db, part))
  const { total, totalBytes, videoCount } = opened
  return { items, total, totalBytes, videoCount }
}

const idsOf = async ({ db }: ViewReading, view: View, opened: OpenedView, window: PageWindow) => {
  if ('offset' in window) return opened.slice(window.offset, window.limit)
  const key = await getOrderKey(db, window.after, view)
  return key === null ? null : opened.idsAfter(key, window.limit)
}

export const positionOf: ReadView<'images.position'> = async (reading, view, imageName) => {
  const key = await getOrderKey(reading.db, imageName, view)
  if (key === null) return null
  const opened = await reading.openView(view)
  return { position: await opened.positionOf(key), total: opened.total }
}

/** Returns every name of a view. As in InvokeAI, `starred_count` is 0 unless starred images come first. */
export const namesOf = async (reading: ViewReading, view: View) => {
  const opened = await reading.openView(view)
  return {
    packed: await packed(reading, opened, { offset: 0, limit: -1 }),
    starred_count: view.starredFirst ? await opened.countStarred() : 0,
    total_count: opened.total,
  }
}

/** Returns the names of a board's images. null: no such board. */
export const namesOnBoard = async (
  reading: ViewReading,
  view: View & { boardId: string },
  window: { offset: number; limit: number } = { offset: 0, limit: -1 },
): Promise<PackedNames | null> => {
  if ((await getViewedBoardKey(reading.db, view.boardId)) === null) return null
  const opened = await reading.openView(view)
  return packed(reading, opened, window)
}

const packed = async (
  { transfer }: ViewReading,
  opened: OpenedView,
  { offset, limit }: { offset: number; limit: number },
): Promise<PackedNames> => {
  const names = await packNames(opened.names(offset, limit), opened.total)
  transfer.push(names)
  return names
}

export const daysOf: ReadView<'images.days'> = async (reading, view, timeZone) => {
  const numbers = await reading.remember(JSON.stringify(['days', view, timeZone]), async () =>
    Float64Array.from(await countDaysOf(reading, view, timeZone)),
  )
  const [starred_count = 0, ...pairs] = numbers
  const days = pairs.flatMap((day, at) =>
    at % 2 === 0 ? [{ day: textOf(day), count: pairs[at + 1] ?? 0 }] : [],
  )
  return { starred_count, days }
}

/** Returns the days in cacheable form: the number of starred images, then each day and its number of images. */
const countDaysOf = async (reading: ViewReading, view: View, timeZone: string) => {
  const opened = await reading.openView(view)
  const hasStarsApart = view.starredFirst && view.isStarred === undefined
  const starredCount = hasStarsApart ? await opened.countStarred() : 0
  const days = [...(await opened.countDays(calendarOf(timeZone), { hasStarsApart }))]
  const sign = view.orderDir === 'ASC' ? 1 : -1
  return [starredCount, ...days.sort(([one], [other]) => sign * (one - other)).flat()]
}

export const ratiosOf: ReadView<'images.ratios'> = async (reading, view, timeZone) => {
  const numbers = await reading.remember(JSON.stringify(['ratios', view, timeZone]), async () =>
    Float64Array.from(await sumRatiosOf(reading, view, timeZone)),
  )
  const groups: RatioGroup[] = []
  for (let at = 0; at < numbers.length; ) {
    const [day = 0, count = 0] = numbers.subarray(at, at + 2)
    const end = at + 2 + Math.ceil(count / IMAGES_PER_RATIO_SUM)
    groups.push({ day: groupNameOf(day), count, sums: [...numbers.subarray(at + 2, end)] })
    at = end
  }
  return { groups }
}

/** Day numbers of groups that are not days. */
const NO_DAY = Number.POSITIVE_INFINITY
const STARRED_DAY = Number.NEGATIVE_INFINITY

const groupNameOf = (day: number): string | null => {
  if (day === NO_DAY) return null
  return day === STARRED_DAY ? STARRED_GROUP : textOf(day)
}

/** Returns the groups in cacheable form: each day, its number of images and the sums of their ratios. */
const sumRatiosOf = async (reading: ViewReading, view: View, timeZone: string | null) => {
  const opened = await reading.openView(view)
  const ratios = await reading.ratios(await opened.ids())
  let groups = [NO_DAY, ratios.length]
  if (timeZone !== null) {
    const [starredCount = 0, ...days] = await countDaysOf(reading, view, timeZone)
    groups = [STARRED_DAY, starredCount, ...days]
  }
  const numbers: number[] = []
  let from = 0
  for (let at = 0; at < groups.length; at += 2) {
    const [day = 0, count = 0] = groups.slice(at, at + 2)
    if (count > 0) numbers.push(day, count, ...sumsOf(ratios.subarray(from, from + count)))
    from += count
  }
  return numbers
}

const sumsOf = (ratios: Uint8Array): number[] =>
  Array.from({ length: Math.ceil(ratios.length / IMAGES_PER_RATIO_SUM) }, (_, at) => {
    const first = at * IMAGES_PER_RATIO_SUM
    return ratios.subarray(first, first + IMAGES_PER_RATIO_SUM).reduce((sum, one) => sum + one, 0)
  })

const textOf = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10)
