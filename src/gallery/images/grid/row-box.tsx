import { type ReactNode, useLayoutEffect, useRef } from 'react'
import type { GridScroller } from './grid-scroller.ts'

interface RowBoxProps {
  scroller: GridScroller
  /** Height of the scrolled box, in pixels. Smaller than the content if browsers cannot lay out the content. */
  boxPx: number
  /** Content position of the rows' origin, in pixels. */
  basePx: number
  /** Space to the right of the rows, in pixels. */
  rightPx: number
  children: ReactNode
}

/** The scrolled box with the rendered rows. It moves the rows by the difference between box and content. */
export function RowBox({ scroller, boxPx, basePx, rightPx, children }: RowBoxProps) {
  const rows = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const place = () => {
      if (rows.current) rows.current.style.top = `${basePx - scroller.shiftPx}px`
    }
    place()
    return scroller.observeShift(place)
  })
  return (
    <div role="presentation" style={{ height: boxPx }}>
      <div ref={rows} role="presentation" className="absolute left-0" style={{ right: rightPx }}>
        {children}
      </div>
    </div>
  )
}
