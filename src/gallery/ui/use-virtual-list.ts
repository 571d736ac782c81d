import { useVirtualizer, type VirtualItem } from '@tanstack/react-virtual'

type Options = Parameters<typeof useVirtualizer<HTMLElement, HTMLElement>>[0]

interface VirtualList {
  /** The rows to render: the visible ones, and `overscan` more at each edge. */
  readonly items: readonly VirtualItem[]
  /** Height of all rows, in pixels. */
  readonly totalPx: number
  /** The visible rows; `null` before the first layout. */
  readonly range: { readonly startIndex: number; readonly endIndex: number } | null
  /** Drops the measured heights. */
  readonly measure: () => void
  /** A ref that measures a rendered row. */
  readonly measureElement: (element: HTMLElement | null) => void
  readonly scrollToIndex: (index: number) => void
}

/** Returns the rows to render. The React Compiler cannot optimize the mutable object that `useVirtualizer` returns. */
export function useVirtualList(options: Options): VirtualList {
  // biome-ignore lint/nursery/useReactCompiler: only this hook uses the mutable object
  const virtualizer = useVirtualizer(options)
  return {
    items: virtualizer.getVirtualItems(),
    totalPx: virtualizer.getTotalSize(),
    range: virtualizer.range,
    measure: virtualizer.measure,
    measureElement: virtualizer.measureElement,
    scrollToIndex: virtualizer.scrollToIndex,
  }
}
