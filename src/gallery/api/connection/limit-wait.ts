import type { PacerState } from '#client/transport/pacer.ts'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import { useSource } from '#gallery/api/listeners.ts'

/** Returns the requests that wait for the rate limits of the server, and until when. */
export const usePacer = (): PacerState => useSource(useGallery().client.pacer)

/** When the next user action is sent, in milliseconds since 1970; null if none waits for the rate limits. */
export const useLimitWait = (): number | null => usePacer().foregroundAt
