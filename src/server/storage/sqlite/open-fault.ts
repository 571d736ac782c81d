/** Why a library cannot be opened, where it is none of our faults. It crosses between threads. */
export type OpenFault = 'newer' | 'older' | 'damaged' | 'full' | 'read_only'

/** What each means to a person. */
export const faultTexts: Readonly<Record<OpenFault, string>> = {
  newer: 'was written by a newer version of Tessera. Update Tessera to open it.',
  older: 'is still in use by an older version of Tessera. Stop that one and try again.',
  damaged: 'is damaged and cannot be read. Put a backup of it in its place.',
  full: 'finds no space: the disk is full. Free some there, or choose another folder with --data.',
  read_only: 'cannot be written. Make it writable, or choose another folder with --data.',
}
