import { ConnectionError, isRefused, RefusedError } from '#client/index.ts'

/** Temporary statuses: the server or a proxy in front of it is busy, starting or stopping. */
const TEMPORARY = [429, 502, 503, 504]

/** True if the request can be retried: no answer arrived, or the refusal is temporary. */
export const canBeSentAgain = (error: unknown): boolean =>
  error instanceof ConnectionError ||
  isRefused(error, 'login_required') ||
  (error instanceof RefusedError && TEMPORARY.includes(error.status))
