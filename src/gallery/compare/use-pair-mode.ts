import { useState } from 'react'
import type { PairMode } from './pair-stage.tsx'

export type CompareMode = 'side' | PairMode

/** How two images are compared. */
export function usePairMode() {
  const [mode, setMode] = useState<CompareMode>('side')
  const [isSecondShown, setSecondShown] = useState(false)
  return {
    mode,
    isSecondShown,
    onMode: (next: CompareMode) => setMode(next === mode ? 'side' : next),
    /** A held key shows the second image until it is released. A button shows one after the other. */
    onBlink: (event?: KeyboardEvent) => {
      if (event === undefined) {
        setSecondShown(mode === 'blink' && !isSecondShown)
        setMode('blink')
      } else if (!event.repeat) {
        setMode('blink')
        setSecondShown(true)
        const released = new AbortController()
        const release = () => {
          released.abort()
          setSecondShown(false)
        }
        window.addEventListener('keyup', release, { signal: released.signal })
        window.addEventListener('blur', release, { signal: released.signal })
      }
    },
  }
}
