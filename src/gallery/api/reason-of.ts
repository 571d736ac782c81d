import { ConnectionError, RefusedError } from '#client/index.ts'

/** Returns a user-readable reason for an error. */
export function reasonOf(error: unknown): string {
  if (error instanceof ConnectionError) return 'The server does not answer. Is it running?'
  if (error instanceof RefusedError) {
    const { code, status, detail } = error
    const isSentence = code !== 'unexpected' || detail.endsWith('.')
    if (isSentence) return detail
    return status < 500
      ? `The server refused the request: ${detail}`
      : `The server failed (${status}).`
  }
  return error instanceof Error ? error.message : String(error)
}
