/** Formats seconds as a player does: `0:05`, `12:30`, `1:02:03`. */
export function formatDuration(seconds: number): string {
  const whole = Math.round(Math.max(0, seconds))
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60]
  const shown = parts[0] === 0 ? parts.slice(1) : parts
  return shown
    .map((part, at) => (at === 0 ? String(part) : String(part).padStart(2, '0')))
    .join(':')
}
