import { useQueries, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { imageQueries } from '#gallery/api/images/image-queries.ts'
import type { ImageView, ImageWindow, ImageWindows } from '#gallery/api/images/image-windows.ts'
import { doAgree, withShown } from './agreeing-windows.ts'

interface LoadedWindows {
  windows: ImageWindows
  /** Images in the view; undefined until any window has come. */
  total: number | undefined
  /** Why a window that is wanted is not there. */
  error: Error | null
  retry: () => void
}

interface Shown {
  readonly windows: ImageWindows
  /** What they were made of: windows as the cache had them then. */
  readonly sources: ImageWindows
  /** When the server answered each of them. */
  readonly updatedAt: ReadonlyMap<number, number>
  readonly total: number | undefined
}

const NOTHING: Shown = {
  windows: new Map(),
  sources: new Map(),
  updatedAt: new Map(),
  total: undefined,
}

/** Windows that do not agree are asked for again after so long, in milliseconds: news mend most of them. */
const DISAGREE_MS = 1_000

/**
 * The windows of a view that are wanted now.
 *
 * What is shown is always of one moment. When several are fetched again, as after a change elsewhere, or
 * images land while they are, they are shown together once they agree: one after the other they would
 * show some images twice and others not at all.
 *
 * @param mayFetch - False while the person flings: what is there is shown, nothing is asked for. What
 *   was asked for and is wanted no more is given up.
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
    // A change by the person keeps the time of the last answer, so it is shown at once.
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
  const filled = agreeing ? withShown(sources, before.windows) : sources
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
 * Whether windows still do not agree though the server was asked for all of them again: no answer came,
 * or much goes on. They are shown as they are then.
 *
 * @param dispute - What they say. Empty: they agree.
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
