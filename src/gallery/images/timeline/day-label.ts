import { localDay } from '#gallery/api/images/new-image-days.ts'
import { FAILED, IN_PROGRESS } from '#gallery/images/grid/grid-generations.ts'
import { dateLanguage } from '#gallery/ui/text/locale.ts'
import { formatDay } from '#gallery/ui/text/timestamp.ts'
import { STARRED } from './day-groups.ts'

const DAY_MS = 24 * 60 * 60_000

/** Returns the heading of a group: `Today`, `Yesterday`, `Sunday, May 3, 2026`, or `Starred`. */
export function labelOfGroup(key: string, now = new Date()): string {
  if (key === STARRED) return 'Starred'
  if (key === IN_PROGRESS) return 'In progress'
  if (key === FAILED) return 'Failed'
  if (key === localDay(now)) return 'Today'
  // Noon, so that days with 23 or 25 hours count as one day.
  const noon = new Date(now.getFullYear(), now.getMonth(), now.getDate(), 12)
  if (key === localDay(new Date(noon.getTime() - DAY_MS))) return 'Yesterday'
  return formatDay(key)
}

/** Returns the language of a heading. Dates use the browser's language, words the page's. */
export const languageOfLabel = (label: string): string | undefined =>
  /\p{Nd}/u.test(label) ? dateLanguage() : undefined
