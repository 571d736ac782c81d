import type { ImageDays } from '#contract/image.ts'

/** The images of a month, which stand together in an order by date. */
export interface Month {
  /** `YYYY-MM`. */
  readonly month: string
  /** The position of its first image. */
  readonly from: number
}

/** The months of a view in its order. Starred images that come first stand before them all. */
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

/** Which month a position is in; -1 before the first of them. */
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

/** A mark on a line along which the images of a view are spread. */
export interface Mark {
  /** From the upper end, in pixels. */
  readonly yPx: number
  /** The year that begins here, where there is room for it; else `null`, a month. */
  readonly year: string | null
}

/** Between two years and two months at least, in pixels. */
const YEAR_PX = 22
const MONTH_PX = 7

/** Nearer to the middle of a year's digits than this, a month's mark would touch them, in pixels. */
const NEAR_YEAR_PX = 14

/** Where the years and months begin along a line, in proportion to their images, as far as there is room. */
export function marksOf(months: readonly Month[], total: number, heightPx: number): Mark[] {
  const places = months.map(({ month, from }, at) => {
    const year = month.slice(0, 4)
    const isNewYear = months[at - 1]?.month.slice(0, 4) !== year
    return { yPx: (from / Math.max(1, total)) * heightPx, year: isNewYear ? year : null }
  })
  const years: Mark[] = []
  for (const mark of places) {
    const above = years.at(-1)
    // The last year must not hang over the end.
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
