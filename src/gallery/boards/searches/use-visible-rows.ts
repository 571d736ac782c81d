import { type RefObject, useEffect, useState } from 'react'

/** Rows that count as visible until the browser has looked. */
const FIRST_ROWS = 20

/**
 * Returns the IDs of the rows that are on the screen, in the order of the list.
 *
 * @param list - Contains the rows, each with `data-search`.
 */
export function useVisibleRows(
  list: RefObject<HTMLElement | null>,
  ids: readonly string[],
): readonly string[] {
  const [seen, setSeen] = useState<ReadonlyMap<string, boolean>>(new Map())
  const key = ids.join(' ')
  // biome-ignore lint/correctness/useExhaustiveDependencies: other rows must be observed
  useEffect(() => {
    if (list.current === null) return
    const observer = new IntersectionObserver((entries) =>
      setSeen((before) => {
        const after = new Map(before)
        for (const { target, isIntersecting } of entries)
          after.set((target as HTMLElement).dataset.search ?? '', isIntersecting)
        return after
      }),
    )
    for (const row of list.current.querySelectorAll('[data-search]')) observer.observe(row)
    return () => observer.disconnect()
  }, [list, key])
  return ids.filter((id, index) => seen.get(id) ?? index < FIRST_ROWS)
}
