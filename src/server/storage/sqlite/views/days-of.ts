import type { ImageDays } from '#contract/image.ts'
import type { DatedView } from '#server/core/images/image-ports.ts'
import type { Reading } from '#server/storage/sqlite/reading.ts'
import { calendarOf, DAY_MS } from './calendar.ts'
import { openView } from './open-view.ts'

/** The days of a view, counted once for as long as the library stays as it is. */
export const daysOf = async (
  reading: Reading,
  view: DatedView,
  timeZone: string,
): Promise<ImageDays> => {
  const key = JSON.stringify(['days', view, timeZone])
  await reading.cache.sync(reading.db)
  const numbers = await reading.cache.result(key, async () =>
    Float64Array.from(await countedDays(reading, view, timeZone)),
  )
  const [starred_count = 0, ...pairs] = numbers
  const days = pairs.flatMap((day, at) =>
    at % 2 === 0 ? [{ day: textOf(day), count: pairs[at + 1] ?? 0 }] : [],
  )
  return { starred_count, days }
}

/** As numbers, which is what is kept: how many are starred, then each day and how many it has. */
const countedDays = async (
  reading: Reading,
  view: DatedView,
  timeZone: string,
): Promise<number[]> => {
  const opened = await openView(reading, view)
  const starredCount = view.starredFirst ? await opened.countStarred() : 0
  const days = [...(await opened.countDays(calendarOf(timeZone)))]
  const way = view.orderDir === 'ASC' ? 1 : -1
  return [starredCount, ...days.sort(([one], [other]) => way * (one - other)).flat()]
}

const textOf = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10)
