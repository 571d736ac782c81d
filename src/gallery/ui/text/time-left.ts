/** Formats a duration as `8 s left`, `3 min left` or `2 h left`. Rounded up coarsely, so that it changes rarely. */
export function formatTimeLeft(ms: number): string {
  const seconds = Math.ceil(ms / 1000)
  if (seconds < 10) return `${Math.max(1, seconds)} s left`
  if (seconds < 60) return `${Math.ceil(seconds / 5) * 5} s left`
  if (seconds < 3600) return `${Math.ceil(seconds / 60)} min left`
  return `${Math.ceil(seconds / 3600)} h left`
}
