import { type RefObject, useLayoutEffect, useState } from 'react'

/** In a column of at least this width, in rem, cards in its corner leave room for the selection bar. */
const FLOATING_REM = 48

/**
 * Decides whether the cards in the corner of the page float, and keeps room for them. Sets on the root
 * element, in pixels: `--foot`, the height of docked cards; `--corner`, the width of floating ones;
 * `--free-left` and `--free-right`, the space on both sides of the part of the page that toasts may cover.
 *
 * @param corner - A child of the page's column.
 * @returns Whether the cards are docked below the images.
 */
export function useCornerRoom(corner: RefObject<HTMLElement | null>, isCompact: boolean): boolean {
  const [isDocked, setDocked] = useState(isCompact)
  useLayoutEffect(() => {
    const node = corner.current
    const column = node?.parentElement
    if (!node || !column) return
    const root = document.documentElement
    const measure = () => {
      const box = column.getBoundingClientRect()
      const remPx = Number.parseFloat(getComputedStyle(root).fontSize)
      const isNowDocked = isCompact || box.width < FLOATING_REM * remPx
      const cornerPx = isNowDocked || node.offsetHeight === 0 ? 0 : node.offsetWidth
      const rooms = {
        '--foot': isNowDocked ? node.offsetHeight : 0,
        '--corner': cornerPx,
        '--free-left': box.left,
        '--free-right': root.clientWidth - box.right + cornerPx,
      }
      for (const [name, px] of Object.entries(rooms)) root.style.setProperty(name, `${px}px`)
      setDocked(isNowDocked)
    }
    // It measures first after the layout of this frame and before its paint. Here that would take a second layout.
    const observer = new ResizeObserver(measure)
    observer.observe(node)
    observer.observe(column)
    return () => observer.disconnect()
  }, [corner, isCompact])
  return isDocked
}
