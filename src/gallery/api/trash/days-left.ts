const DAY_MS = 24 * 60 * 60_000

/**
 * Returns the days until an image is permanently deleted, rounded up.
 *
 * @param deletedAt - In the server's format: `2026-11-21 07:32:39.125`, in UTC.
 */
export const daysLeft = (deletedAt: string, retentionDays: number, nowMs = Date.now()): number => {
  const deletedMs = Date.parse(`${deletedAt.replace(' ', 'T')}Z`)
  return Math.max(0, Math.ceil((deletedMs + retentionDays * DAY_MS - nowMs) / DAY_MS))
}
