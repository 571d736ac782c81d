import { useEffect, useState, useSyncExternalStore } from 'react'

/** Shows the whole page in full screen, because toasts and dialogs are outside the lightbox element. */
export function toggleFullScreen(): void {
  const done = document.fullscreenElement
    ? document.exitFullscreen()
    : document.documentElement.requestFullscreen?.()
  // The browser or an iframe may refuse it.
  done?.catch(() => {})
}

const listen = (onChange: () => void) => {
  document.addEventListener('fullscreenchange', onChange)
  return () => document.removeEventListener('fullscreenchange', onChange)
}

export const useIsFullScreen = (): boolean =>
  useSyncExternalStore(listen, () => document.fullscreenElement != null)

/** Time without pointer and keys after which the controls fade in full screen or over a video. */
const IDLE_MS = 2500

interface IdleOptions {
  isWatched: boolean
  wakesByKey: boolean
}

/** True while nobody has moved the pointer, touched the screen or moved the focus for a moment. */
export function useIsIdle({ isWatched, wakesByKey }: IdleOptions): boolean {
  const [isIdle, setIdle] = useState(false)
  useEffect(() => {
    if (!isWatched) return
    let timer = 0
    const wake = () => {
      setIdle(false)
      window.clearTimeout(timer)
      timer = window.setTimeout(() => setIdle(true), IDLE_MS)
    }
    const events = ['pointermove', 'pointerdown', 'focusin', ...(wakesByKey ? ['keydown'] : [])]
    for (const event of events) window.addEventListener(event, wake, { passive: true })
    wake()
    return () => {
      for (const event of events) window.removeEventListener(event, wake)
      window.clearTimeout(timer)
      setIdle(false)
    }
  }, [isWatched, wakesByKey])
  return isIdle
}
