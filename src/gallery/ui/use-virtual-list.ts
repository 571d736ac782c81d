import { useVirtualizer } from '@tanstack/react-virtual'

type Options = Parameters<typeof useVirtualizer<HTMLElement, HTMLElement>>[0]

/** Returns the rows to render. The React Compiler cannot optimize the mutable object that `useVirtualizer` returns. */
export function useVirtualList(options: Options) {
  // biome-ignore lint/nursery/useReactCompiler: only this hook uses the mutable object
  const virtualizer = useVirtualizer(options)
  return {
    /** The rows to render: the visible ones, and `overscan` more at each edge. */
    items: virtualizer.getVirtualItems(),
    /** Height of all rows, in pixels. */
    totalPx: virtualizer.getTotalSize(),
    /** The visible rows; `null` before the first layout. */
    range: virtualizer.range,
    /** Drops the measured heights. */
    measure: virtualizer.measure,
    /** A ref that measures a rendered row. */
    measureElement: virtualizer.measureElement,
    scrollToIndex: virtualizer.scrollToIndex,
  }
}
