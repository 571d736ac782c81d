/** An export or a backup cannot write to its folder. The message says why, and what to do. Nothing is taken back. */
export class TargetFolderError extends Error {
  override readonly name = 'TargetFolderError'
}
