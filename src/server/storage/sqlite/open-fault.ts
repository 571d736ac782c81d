import { WHAT_TO_DO } from '#server/core/upkeep/library-error.ts'

/** Why a library cannot be opened, where the cause is not a bug. It crosses between threads. */
export type OpenFault =
  | 'missing'
  | 'empty'
  | 'foreign'
  | 'newer'
  | 'older'
  | 'damaged'
  | 'full'
  | 'read_only'

/** The end of a sentence that begins with the path of the database. */
export const faultTexts: Readonly<Record<OpenFault, string>> = {
  missing: `is missing, but images/ has files. ${WHAT_TO_DO}`,
  empty: `is empty, but images/ has files. ${WHAT_TO_DO}`,
  foreign: `is the database of another program. ${WHAT_TO_DO}`,
  newer: 'was written by a newer version of Tessera. Update Tessera to open it.',
  older: 'is still in use by an older version of Tessera. Stop that one and try again.',
  damaged:
    'is damaged. Run `tessera doctor` to see what can be repaired, or put a backup of it in its place.',
  full: 'needs space, and the disk is full. Nothing was changed. Free some space there, or choose another folder with --data.',
  read_only: 'cannot be written. Make it writable, or choose another folder with --data.',
}
