import { useCallback, useMemo, useSyncExternalStore } from 'react'

/** Returns true if a media query matches; re-renders on changes. */
export function useMedia(query: string): boolean {
  const media = useMemo(() => window.matchMedia(query), [query])
  const subscribe = useCallback(
    (onChange: () => void) => {
      media.addEventListener('change', onChange)
      return () => media.removeEventListener('change', onChange)
    },
    [media],
  )
  return useSyncExternalStore(subscribe, () => media.matches)
}

/*
 * The media queries of the layout. Lengths are in rem, so that a large browser font or zoom counts like a small
 * screen. The variants `wide`, `short` and `beside` of styles.css are the same queries.
 */

/** One column. */
export const NARROW = '(width < 48rem)'

/** A phone in landscape, or a window at 400 % zoom. */
export const SHORT = '(height < 30rem)'

/** There is room for a panel next to an image. */
export const BESIDE = '(width >= 48rem) or ((width >= 30rem) and (height < 30rem))'

/** Returns true if the details are next to the image, not a sheet below or over it. */
export const useHasSidePanel = (): boolean => useMedia(BESIDE)

/** Returns true if the screen is so low that panels scroll as a whole. */
export const useIsShort = (): boolean => useMedia(SHORT)

/** Returns true on screens where users expect Back to close open parts, such as phones. */
export const useIsPhone = (): boolean => useMedia(`(pointer: coarse), ${NARROW}, ${SHORT}`)

/** Returns true for the phone layout: the sidebar is a drawer, the queue a sheet. */
export const useIsCompact = (): boolean => useMedia(`${NARROW}, ${SHORT}`)
