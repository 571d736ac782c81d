import { type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { useIsCompact } from '#gallery/ui/use-media.ts'

/** The cards of uploads, imports and changes of many images: below the images in a narrow column, otherwise over their right corner. */
export function PageCorner({ children }: { children: ReactNode }) {
  const corner = useRef<HTMLDivElement>(null)
  const isDocked = useCornerRoom(corner, useIsCompact())
  return (
    <div
      ref={corner}
      className={`flex flex-col *:shrink-0 ${isDocked ? 'relative max-h-[60%] shrink-0 overflow-y-auto bg-raised *:[section]:rounded-none *:[section]:border-x-0 *:[section]:border-b-0 *:[section]:shadow-none' : 'pointer-events-none absolute right-0 bottom-0 z-30 max-h-full w-[26rem] gap-2 overflow-y-auto has-[>section]:p-4 *:pointer-events-auto'}`}
    >
      {children}
    </div>
  )
}

/** Minimum column width, in rem, at which cards float. Floating cards leave room for the selection bar. */
const FLOATING_REM = 48

/**
 * Decides whether the cards in the corner of the page float, and reserves room for them. Sets CSS variables on the root
 * element, in pixels: `--foot` is the height of docked cards, `--corner` the width of floating ones; `--free-left` and
 * `--free-right` are the space on both sides of the area for toasts.
 *
 * @param corner - A child of the main column.
 * @returns True if the cards are docked below the images.
 */
function useCornerRoom(corner: RefObject<HTMLElement | null>, isCompact: boolean): boolean {
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
    // Its first call is after the layout of this frame and before its paint. Measuring here would need a second layout.
    const observer = new ResizeObserver(measure)
    observer.observe(node)
    observer.observe(column)
    return () => observer.disconnect()
  }, [corner, isCompact])
  return isDocked
}
