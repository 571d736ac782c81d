/** Reason why the server cannot start, in one line for the user. */
export class StartError extends Error {
  override readonly name = 'StartError'
  /** Exit code. 2: invalid flags. 1: everything else. */
  readonly exitCode: 1 | 2

  constructor(message: string, exitCode: 1 | 2 = 1, options?: ErrorOptions) {
    super(message, options)
    this.exitCode = exitCode
  }
}

const ELSEWHERE = 'or choose another folder with --data.'

const full = `the disk is full. Free some space there, ${ELSEWHERE}`
const readOnly = `it can only be read. Make it writable, ${ELSEWHERE}`
const forbidden = `this user may not write there. Give it the right to, ${ELSEWHERE}`
const impossible = 'no folder can be made there. Choose another with --data.'

/** Reasons by error codes of the system, SQLite and refusals. */
const reasons: Readonly<Record<string, string>> = {
  ENOSPC: full,
  EDQUOT: full,
  SQLITE_FULL: full,
  SQLITE_IOERR_SHMSIZE: full,
  disk_full: full,
  EROFS: readOnly,
  EACCES: forbidden,
  EPERM: forbidden,
  SQLITE_CANTOPEN: forbidden,
  SQLITE_READONLY: forbidden,
  ENOENT: impossible,
  ENOTDIR: impossible,
  EEXIST: impossible,
  ENAMETOOLONG: impossible,
}

/** Returns the code of a system error, such as `ENOENT`, or `''`. */
export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : ''

/** Returns why a data folder cannot be used, and the next step, for the user. */
export function dataFolderReason(error: unknown): string {
  return reasons[codeOf(error)] ?? (error instanceof Error ? error.message : String(error))
}
