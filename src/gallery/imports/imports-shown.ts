import { type Import, isUnderWay } from '#gallery/api/imports.ts'

/** Cards of imports that have ended; older ones make room. */
const MAX_ENDED = 3

/**
 * The imports that have a card: those under way, those that were cut off, and the newest of those that have
 * ended and were not closed.
 *
 * @param imports - Newest first.
 */
export function importsShown(
  imports: readonly Import[],
  closedIds: readonly string[],
): readonly Import[] {
  const real = imports.filter(({ dry_run }) => !dry_run)
  const open = real.filter((one) => isUnderWay(one) || !closedIds.includes(one.import_id))
  const ended = open.filter((one) => !isWaitedFor(one)).slice(0, MAX_ENDED)
  return open.filter((one) => isWaitedFor(one) || ended.includes(one))
}

/** Whether a person has to see it: it goes on, or is to be gone on with. */
const isWaitedFor = (one: Import): boolean => isUnderWay(one) || one.state === 'interrupted'
