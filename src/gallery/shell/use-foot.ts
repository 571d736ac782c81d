import { type RefObject, useEffect } from 'react'

/**
 * Tells what else stands at the foot of the page how much of it a card there takes: all of its width on a
 * narrow screen. Toasts and the selection bar stand above `--foot`.
 */
export function useFoot(corner: RefObject<HTMLElement | null>, isTaken: boolean): void {
  useEffect(() => {
    const node = corner.current
    if (node === null || !isTaken) return
    const root = document.documentElement.style
    const measure = () => root.setProperty('--foot', `${node.offsetHeight}px`)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(node)
    return () => {
      observer.disconnect()
      root.removeProperty('--foot')
    }
  }, [corner, isTaken])
}
