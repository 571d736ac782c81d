import { localDay } from '#gallery/api/local-day.ts'
import { STARRED } from './day-groups.ts'
import { BEING_MADE, FAILED } from './grid-making.ts'

const DAY_MS = 24 * 60 * 60_000

const parts = new Intl.DateTimeFormat('en', {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
})
const months = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' })

/** `Today`, `Yesterday`, `Sunday, 3 May 2026`, or `Starred`: what a group of images is called. */
export function labelOfGroup(key: string, now = new Date()): string {
  if (key === STARRED) return 'Starred'
  if (key === BEING_MADE) return 'Being made'
  if (key === FAILED) return 'Failed'
  if (key === localDay(now)) return 'Today'
  // Noon, so that a day that is an hour shorter or longer is still one day.
  const noon = new Date(now.getFullYear(), now.getMonth(), now.getDate(), 12)
  if (key === localDay(new Date(noon.getTime() - DAY_MS))) return 'Yesterday'
  return longDay(key)
}

/** `2026-05-03` as `Sunday, 3 May 2026`. */
function longDay(day: string): string {
  const part = new Map(
    parts.formatToParts(new Date(`${day}T00:00Z`)).map(({ type, value }) => [type, value]),
  )
  return `${part.get('weekday')}, ${part.get('day')} ${part.get('month')} ${part.get('year')}`
}

/** `2026-05` as `May 2026`. */
export const labelOfMonth = (month: string): string => months.format(new Date(`${month}-01T00:00Z`))
