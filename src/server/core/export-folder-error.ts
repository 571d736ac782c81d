/** A folder cannot be exported to. The message says why, and what to do. What was put there stays. */
export class ExportFolderError extends Error {
  override readonly name = 'ExportFolderError'
}
