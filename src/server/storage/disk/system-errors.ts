import { Refusal } from '#server/core/refusal.ts'

/** The code of a system error, such as `ENOENT`. */
export const systemCode = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined

/** For `catch`: a file that is not there is no error. */
export const ignoreMissing = (error: unknown): void => {
  if (systemCode(error) !== 'ENOENT') throw error
}

/** What a person is told about a write that failed. */
export const writeFailure = (error: unknown): unknown =>
  systemCode(error) === 'ENOSPC' || systemCode(error) === 'EDQUOT'
    ? new Refusal('disk_full', undefined, { cause: error })
    : error
