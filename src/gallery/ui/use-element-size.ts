import { type RefObject, useLayoutEffect, useState } from 'react'

export interface ElementSize {
  /** Without the scrollbar, in CSS pixels. */
  readonly widthPx: number
  readonly heightPx: number
}

/** Returns the inner size of an element, measured before the first paint. */
export function useElementSize(element: RefObject<HTMLElement | null>): ElementSize | null {
  const [size, setSize] = useState<ElementSize | null>(null)
  useLayoutEffect(() => {
    const node = element.current
    if (node === null) return
    const measure = () =>
      setSize((before) => {
        const isSame = before?.widthPx === node.clientWidth && before.heightPx === node.clientHeight
        return isSame ? before : { widthPx: node.clientWidth, heightPx: node.clientHeight }
      })
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(node)
    return () => observer.disconnect()
  }, [element])
  return size
}
