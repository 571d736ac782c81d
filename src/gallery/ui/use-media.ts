import { useCallback, useSyncExternalStore } from 'react'

/** Whether a media query holds; re-renders when that changes. */
export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (onChange: () => void) => {
      const media = window.matchMedia(query)
      media.addEventListener('change', onChange)
      return () => media.removeEventListener('change', onChange)
    },
    [query],
  )
  return useSyncExternalStore(subscribe, () => window.matchMedia(query).matches)
}

/** Below this the sidebar is a drawer. */
export const useIsNarrow = (): boolean => useMedia('(width < 48rem)')
