import { Refusal } from '#server/core/refusal.ts'

/** A store that cannot be used. The message tells the user why, in one line. */
export class FilesStoreError extends Error {
  override readonly name = 'FilesStoreError'
}

interface S3Error extends Error {
  code?: unknown
  $metadata?: { httpStatusCode?: number }
}

const asError = (error: unknown): S3Error =>
  error instanceof Error ? error : new Error(String(error))

export const statusOf = (error: unknown): number | undefined =>
  asError(error).$metadata?.httpStatusCode

/** Returns the name that S3 gives an error, or the code of a network error, such as `ECONNREFUSED`. */
export const reasonOf = (error: unknown): string => {
  const { name, code } = asError(error)
  return typeof code === 'string' && (name !== 'TimeoutError' || isCutOff(error)) ? code : name
}

/** Codes of connections that the store closed. The S3 client calls such an error a `TimeoutError`. */
const CUT_OFF: readonly unknown[] = ['ECONNRESET', 'EPIPE']

/** True if the store, or something before it, closed the connection during a request. */
export const isCutOff = (error: unknown): boolean => CUT_OFF.includes(asError(error).code)

/** For `catch`: returns null for a missing object and rethrows every other error. */
export const nullIfMissing = (error: unknown): null => {
  if (reasonOf(error) === 'NoSuchBucket' || statusOf(error) !== 404) throw error
  return null
}

/** True if a conditional write found an object with the key, or met another write of it. */
export const isTaken = (error: unknown): boolean => [409, 412].includes(statusOf(error) ?? 0)

const fullStore = ['InsufficientStorage', 'QuotaExceeded', 'XMinioStorageFull', 'ENOSPC', 'EDQUOT']

const MAYBE_CHANGED =
  'A change may or may not have been made; everything confirmed earlier is safe. '

/**
 * Returns the refusal of a request whose S3 request failed, after all retries.
 *
 * @param isRead - True: the S3 request could change nothing.
 */
export const s3Refusal = (error: unknown, { isRead = false } = {}): Refusal => {
  if (error instanceof Refusal) return error
  const reason = reasonOf(error)
  if (fullStore.includes(reason) || statusOf(error) === 507) {
    return new Refusal('disk_full', 'The store of the images is full.', { cause: error })
  }
  const why = isCutOff(error) ? `${reason}: it closed the connection` : reason
  const detail = `The store of the images failed (${why}). ${isRead ? '' : MAYBE_CHANGED}Try again in a moment.`
  return new Refusal('disk_error', detail, { cause: error })
}

const badCredentials = [
  'CredentialsProviderError',
  'InvalidAccessKeyId',
  'SignatureDoesNotMatch',
  'ExpiredToken',
  'InvalidToken',
  'TokenRefreshRequired',
  'XAdminUserNotFound', // versitygw
]
const wrongRegion = [
  'PermanentRedirect',
  'AuthorizationHeaderMalformed',
  'IllegalLocationConstraintException',
]

/** Returns why a store cannot be used, as one line with the next step. */
export const startReason = (
  error: unknown,
  { bucket, endpoint }: { bucket: string; endpoint: string | null },
): FilesStoreError => {
  const [reason, status] = [reasonOf(error), statusOf(error)]
  const where = endpoint ?? 'AWS'
  const line = () => {
    if (badCredentials.includes(reason)) {
      return `The credentials for ${where} are missing or wrong (${reason}). Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or a profile of AWS.`
    }
    if (reason === 'NoSuchBucket') return `There is no bucket “${bucket}” at ${where}.`
    if (wrongRegion.includes(reason) || status === 301) {
      return `The bucket “${bucket}” is in another region. Add region=… to --files.`
    }
    if (asError(error).message.includes('Region is missing')) {
      return 'The region of the bucket is unknown. Add region=… to --files, or set AWS_REGION.'
    }
    if (status === 403) {
      return `These credentials may not write to, read from and delete in the bucket “${bucket}” (${reason}).`
    }
    if (status === undefined) return `${where} does not answer as an S3 server (${reason}).`
    return `The bucket “${bucket}” at ${where} cannot be used (${reason}: ${asError(error).message}).`
  }
  return new FilesStoreError(line(), { cause: error })
}
