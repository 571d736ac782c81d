/** The library exists and cannot be opened. The message says why, for the person who started the server. */
export class LibraryError extends Error {
  override readonly name = 'LibraryError'
}

/** The next step where files and database do not belong together. */
export const WHAT_TO_DO =
  'Nothing was changed. Put the right tessera.db back, together with its tessera.db-wal if there is one, or a backup of it (see `tessera restore --help`). `tessera doctor --adopt` makes images of files without a record.'
