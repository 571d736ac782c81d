import type { RefusalCode } from '#contract/refusal.ts'
import { Refusal } from '#server/core/refusal.ts'

/** Returns the code of a system error, such as `ENOENT`. */
export const systemCode = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined

/** For `catch`: ignores a missing file and rethrows every other error. */
export const ignoreMissing = (error: unknown): void => {
  if (systemCode(error) !== 'ENOENT') throw error
}

const codes: Readonly<Record<string, RefusalCode>> = {
  ENOSPC: 'disk_full',
  EDQUOT: 'disk_full',
  EIO: 'disk_error',
}

/** Returns the refusal for a failed write, or the error itself if the disk did not cause it. */
export const writeFailure = (error: unknown): unknown => {
  const code = codes[systemCode(error) ?? '']
  return code === undefined ? error : new Refusal(code, undefined, { cause: error })
}

/** Returns true if the file system cannot make this hard link, so that the file has to be copied. */
export const isUnlinkable = (error: unknown): boolean =>
  ['EXDEV', 'EPERM', 'EACCES', 'EMLINK', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EINVAL'].includes(
    systemCode(error) ?? '',
  )
