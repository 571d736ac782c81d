import type { Import } from '#gallery/api/imports.ts'

/**
 * Returns true if an import added images since the previous snapshot. Imports are compared by id, because a
 * restarted import replaces the interrupted one and counts from zero.
 */
export const hasNewImages = (before: readonly Import[], now: readonly Import[]): boolean => {
  const last = new Map(before.map((one) => [one.import_id, one.taken_in]))
  return now.some(
    ({ import_id, dry_run, taken_in }) => !dry_run && taken_in > (last.get(import_id) ?? 0),
  )
}
