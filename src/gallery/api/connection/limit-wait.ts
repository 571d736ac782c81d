import { useSyncExternalStore } from 'react'
import type { PacerState } from '#client/transport/pacer.ts'
import { gallery } from './connection.ts'

const subscribe = (onChange: () => void) => gallery.pacer.subscribe(onChange)
const getState = () => gallery.pacer.getState()

/** The requests that wait for the server's limits, and until when. */
export const usePacer = (): PacerState => useSyncExternalStore(subscribe, getState)

/**
 * When the next request of a user action is sent, in milliseconds since 1970; null while none waits for
 * the server's limits. A loading state shows it, so the page never stays empty without a reason.
 */
export const useLimitWait = (): number | null => usePacer().foregroundAt
