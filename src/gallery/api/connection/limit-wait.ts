import { useSyncExternalStore } from 'react'
import type { PacerState } from '#client/transport/pacer.ts'
import { gallery } from './connection.ts'

const subscribe = (onChange: () => void) => gallery.pacer.subscribe(onChange)
const getState = () => gallery.pacer.getState()

/** Returns the requests that wait for the rate limits of the server, and until when. */
export const usePacer = (): PacerState => useSyncExternalStore(subscribe, getState)

/**
 * Returns when the next request of a user action is sent, in milliseconds since 1970; null if none waits for the rate
 * limits of the server. Loading states show this time.
 */
export const useLimitWait = (): number | null => usePacer().foregroundAt
