import type { ImageDays } from '#contract/image.ts'

/** Adds new images of today to the day counts of a view that shows the newest images first. */
export function withNewImagesToday(
  { days, ...rest }: ImageDays,
  imageCount: number,
  today: string,
): ImageDays {
  const at = days.findIndex(({ day }) => day <= today)
  const before = at < 0 ? days.length : at
  const isThere = days[before]?.day === today
  const count = imageCount + (isThere ? (days[before]?.count ?? 0) : 0)
  if (imageCount <= 0) return { ...rest, days }
  return { ...rest, days: days.toSpliced(before, isThere ? 1 : 0, { day: today, count }) }
}

/** Formats a date as `YYYY-MM-DD` in the local time zone. */
export function localDay(date: Date): string {
  const two = (number: number) => String(number).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}
