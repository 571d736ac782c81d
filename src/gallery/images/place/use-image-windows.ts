import { useQueries, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { imageQueries } from '#gallery/api/images/image-queries.ts'
import type { ImageView, ImageWindow, ImageWindows } from '#gallery/api/images/image-windows.ts'
import { doAgree, fillHoles } from './agreeing-windows.ts'

interface LoadedWindows {
  windows: ImageWindows
  /** Number of images in the view; undefined until the first window is loaded. */
  total: number | undefined
  /** Error of a wanted window that failed to load. */
  error: Error | null
  retry: () => void
}

interface Shown {
  readonly windows: ImageWindows
  /** The cached windows from which `windows` was built. */
  readonly sources: ImageWindows
  /** Time of each window's last answer. */
  readonly updatedAt: ReadonlyMap<number, number>
  readonly total: number | undefined
}

const NOTHING: Shown = {
  windows: new Map(),
  sources: new Map(),
  updatedAt: new Map(),
  total: undefined,
}

/** Delay before windows that disagree are fetched again, in milliseconds. Events resolve most disagreements sooner. */
const DISAGREE_MS = 1_000

/**
 * Returns the windows of a view that the screen needs.
 *
 * The windows shown together always have the same total. When several windows are refetched, for example after a change
 * by another client or when new images are inserted meanwhile, they are shown together once they agree. Shown one by
 * one, they would repeat some images and omit others.
 *
 * @param mayFetch - False during fast scrolling: only cached windows are shown, and nothing is fetched. Requests for
 * windows that are no longer needed are canceled.
 */
export function useImageWindows(
  view: ImageView,
  indices: readonly number[],
  mayFetch: boolean,
): LoadedWindows {
  const shown = useRef(NOTHING)
  const results = useQueries({
    queries: indices.map((index) => ({ ...imageQueries.window(view, index), enabled: mayFetch })),
  })

  const before = shown.current
  const isAnyRefetching = results.some(({ data, isFetching }) => data && isFetching)
  const there = new Map<number, ImageWindow>()
  const together = new Map<number, ImageWindow>()
  const answeredAt = new Map<number, number>()
  for (const [at, { data, dataUpdatedAt }] of results.entries()) {
    const index = indices[at]
    if (data === undefined || index === undefined) continue
    const source = before.sources.get(index)
    // A change by the user keeps the time of the last answer, so it is shown at once.
    const waitsForOthers = isAnyRefetching && before.updatedAt.get(index) !== dataUpdatedAt
    there.set(index, data)
    together.set(index, (waitsForOthers && source) || data)
    answeredAt.set(index, dataUpdatedAt)
  }
  const held = new Map([...before.sources].filter(([index]) => there.has(index)))
  const agreeing = [together, there].find(doAgree)
  const dispute = agreeing ? '' : [...there.values()].map(({ total }) => total).join()
  const isUnsettled = useUnsettled(view, dispute)
  const sources = agreeing ?? (held.size === 0 || isUnsettled ? there : held)

  const updatedAt = new Map(
    [...sources].map(([index, source]) => {
      const isLast = source === there.get(index)
      return [index, (isLast ? answeredAt : before.updatedAt).get(index) ?? 0]
    }),
  )
  const latest = [...updatedAt].toSorted(([, a], [, b]) => a - b).at(-1)?.[0] ?? -1
  const total = sources.get(latest)?.total ?? before.total
  const filled = agreeing ? fillHoles(sources, before.windows) : sources
  const windows = new Map(
    [...filled].map(([index, window]) => {
      const isSame = sources.get(index) === before.sources.get(index)
      return [index, (isSame && before.windows.get(index)) || window]
    }),
  )
  shown.current = { windows, sources, updatedAt, total }

  const failed = results.filter(({ error, data }) => error !== null && data === undefined)
  return {
    windows,
    total,
    error: failed[0]?.error ?? null,
    retry: () => {
      for (const result of failed) void result.refetch()
    },
  }
}

/**
 * Returns true if windows still disagree after all of them were refetched, because requests failed or the view changes
 * fast. The caller then shows them as they are.
 *
 * @param dispute - The differing totals, joined; empty if the windows agree.
 */
function useUnsettled(view: ImageView, dispute: string): boolean {
  const client = useQueryClient()
  const [unsettled, setUnsettled] = useState('')
  useEffect(() => {
    if (dispute === '') return
    let isOver = false
    const askAgain = async () => {
      await client.refetchQueries({ queryKey: imageQueries.windows(view), type: 'active' })
      if (!isOver) setUnsettled(dispute)
    }
    const timer = setTimeout(() => void askAgain(), DISAGREE_MS)
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [client, view, dispute])
  return dispute !== '' && unsettled === dispute
}
