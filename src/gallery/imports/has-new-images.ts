import type { Import } from '#gallery/api/imports.ts'

/**
 * Whether an import has taken something in since the last look. Each is compared with itself: one that is gone
 * on with takes the place of the one that was cut off, and counts from the beginning.
 */
export const hasNewImages = (before: readonly Import[], now: readonly Import[]): boolean => {
  const last = new Map(before.map((one) => [one.import_id, one.taken_in]))
  return now.some(
    ({ import_id, dry_run, taken_in }) => !dry_run && taken_in > (last.get(import_id) ?? 0),
  )
}
