import { ConnectionError, RefusedError } from '#client/index.ts'

/** Why something could not be done, in words for a person. */
export function reasonOf(error: unknown): string {
  if (error instanceof ConnectionError) return 'The server does not answer. Is it running?'
  if (error instanceof RefusedError) {
    return error.code === 'unexpected' ? `The server failed (${error.status}).` : error.detail
  }
  return error instanceof Error ? error.message : String(error)
}
