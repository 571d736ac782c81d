import { constants } from 'node:fs'
import { access, link } from 'node:fs/promises'
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

/** For `catch` after `mkdir`: ignores a folder that exists and rethrows every other error. */
export const ignoreExisting = (error: unknown): void => {
  if (systemCode(error) !== 'EEXIST') throw error
}

/** Flags that refuse a symbolic link. Windows has no such flag; there, only administrators may create links. */
export const READ_NO_LINK = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0)

/** For `catch` after `READ_NO_LINK`: ignores a missing file and a symbolic link, and rethrows every other error. */
export const ignoreNoFile = (error: unknown): void => {
  if (systemCode(error) !== 'ELOOP') ignoreMissing(error)
}

export const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

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

/** Error codes of file systems that cannot make this hard link. */
const noLinkCodes = ['EXDEV', 'EPERM', 'EMLINK', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EINVAL']

/** Returns true if a hard link cannot be made, so that the file has to be copied. */
export const isUnlinkable = (error: unknown): boolean =>
  ['EACCES', ...noLinkCodes].includes(systemCode(error) ?? '')

/** Makes a hard link. Returns false if the file system cannot make it. */
export const tryLink = async (from: string, to: string): Promise<boolean> => {
  try {
    await link(from, to)
    return true
  } catch (error) {
    if (noLinkCodes.includes(systemCode(error) ?? '')) return false
    throw error
  }
}
