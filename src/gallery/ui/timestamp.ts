const dateAndTime = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' })

/** `2026-11-21 07:32:39.125` in UTC, as times travel, as a moment here: `21 Nov 2026, 08:32`. */
export function formatTimestamp(timestamp: string): string {
  const time = new Date(`${timestamp.replace(' ', 'T')}Z`)
  return Number.isNaN(time.getTime()) ? timestamp : dateAndTime.format(time)
}
