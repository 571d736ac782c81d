import type { ImageDays } from '#contract/image.ts'

/** A month and its first image. In an order by date, the images of a month are adjacent. */
export interface Month {
  /** `YYYY-MM`. */
  readonly month: string
  /** Position of its first image. */
  readonly from: number
}

/** Returns the months of a view in its order. Starred images at the front precede them all. */
export function monthsOf({ starred_count, days }: ImageDays): Month[] {
  const months: Month[] = []
  let from = starred_count
  for (const { day, count } of days) {
    const month = day.slice(0, 7)
    if (months.at(-1)?.month !== month) months.push({ month, from })
    from += count
  }
  return months
}

/** Returns the index of the month that contains a position; -1 before the first month. */
export function monthIndexAt(months: readonly Month[], position: number): number {
  let low = 0
  let high = months.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((months[middle]?.from ?? 0) <= position) low = middle + 1
    else high = middle
  }
  return low - 1
}

/** A mark on the line that represents all images of the view. */
export interface Mark {
  /** Distance from the upper end, in pixels. */
  readonly yPx: number
  /** Label of the first month of a year, if there is room for it; else `null`. */
  readonly year: string | null
}

/** Minimum distance between two years, and between two months, in pixels. */
const YEAR_PX = 22
const MONTH_PX = 7

/** Within this distance of a year's center, a month's mark would touch the digits. In pixels. */
const NEAR_YEAR_PX = 14

/** Returns the marks of years and months, placed in proportion to their images, as far as there is room. */
export function marksOf(months: readonly Month[], total: number, heightPx: number): Mark[] {
  const places = months.map(({ month, from }, at) => {
    const year = month.slice(0, 4)
    const isNewYear = months[at - 1]?.month.slice(0, 4) !== year
    return { yPx: (from / Math.max(1, total)) * heightPx, year: isNewYear ? year : null }
  })
  const years: Mark[] = []
  for (const mark of places) {
    const above = years.at(-1)
    // The last year must not overlap the end of the line.
    const isRoom = mark.yPx <= heightPx - YEAR_PX && (!above || mark.yPx - above.yPx >= YEAR_PX)
    if (mark.year !== null && isRoom) years.push(mark)
  }
  const marks: Mark[] = []
  for (const mark of places) {
    const isYear = years.includes(mark)
    const isNearYear = years.some(({ yPx }) => Math.abs(mark.yPx - yPx) < NEAR_YEAR_PX)
    const isNearMonth = mark.yPx - (marks.at(-1)?.yPx ?? -MONTH_PX) < MONTH_PX
    if (isYear) marks.push(mark)
    else if (!isNearYear && !isNearMonth) marks.push({ ...mark, year: null })
  }
  return marks
}
