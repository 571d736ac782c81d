/**
 * Resolves after `ms` milliseconds.
 *
 * @throws The reason of `signal` if it aborts first.
 */
export const sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const abort = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort)
      resolve()
    }, ms)
    signal?.addEventListener('abort', abort, { once: true })
  })

/** Combines signals and a time limit in milliseconds. Undefined ones are omitted. */
export const anySignal = (
  signals: readonly (AbortSignal | undefined)[],
  timeoutMs: number | undefined,
): AbortSignal | undefined => {
  const limit = timeoutMs === undefined ? undefined : AbortSignal.timeout(timeoutMs)
  const given = [...signals, limit].filter((signal) => signal !== undefined)
  return given.length > 1 ? AbortSignal.any(given) : given[0]
}
