import { useEffect, useMemo, useState } from 'react'
import { type FilteredImage, matchesFilter } from '#contract/image-filter.ts'
import type { ImageView } from '#gallery/api/images/image-windows.ts'
import { useActiveCount, useGenerations } from '#gallery/api/queue/generations.ts'
import type { Generation } from '#gallery/api/queue/generations-of.ts'
import { useCanceledItems } from './generation-tile.tsx'

/** The generations whose images will appear in a view. */
export interface ComingImages {
  /** In execution order, failed ones last. */
  readonly generations: readonly Generation[]
  /** The number of further waiting items, of which nothing else is known. */
  readonly unknownCount: number
}

/** The properties that the image of every generation will have. */
const COMING_IMAGE: FilteredImage = {
  image_category: 'general',
  image_origin: 'internal',
  is_intermediate: false,
  starred: false,
  video: null,
}

const isLive = ({ status }: Generation) => status === 'pending' || status === 'in_progress'

/** Returns the generations of a view. Empty for a search or filter, because their results are not known in advance. */
export function useComingImages(view: ImageView): ComingImages {
  const canceled = useCanceledItems()
  const all = useHeldGenerations(canceled)
  const active = useActiveCount()
  const { boardId, query } = view
  const isPredictable = query === '' && matchesFilter(view, COMING_IMAGE)
  return useMemo(
    () => comingOf(all, active, isPredictable ? boardId : undefined, canceled),
    [all, active, isPredictable, boardId, canceled],
  )
}

/**
 * Selects the generations of a board.
 *
 * @param boardId - `null` for all boards; undefined for none.
 * @param canceled - The items that the user canceled in this tab.
 */
export function comingOf(
  all: readonly Generation[],
  activeCount: number,
  boardId: string | null | undefined,
  canceled: ReadonlySet<number>,
): ComingImages {
  // After a reconnect, an item that was canceled here can look interrupted.
  const isOver = ({ itemId, status }: Generation) => status === 'failed' && canceled.has(itemId)
  const own = all.filter((one) => (boardId === null || one.boardId === boardId) && !isOver(one))
  const completed = own.filter(({ status }) => status === 'completed').reverse()
  const others = own.filter(({ status }) => status !== 'completed')
  const live = all.filter(isLive)
  // Only the front of a long queue is known. The rest is assumed to belong to the same board as its last item.
  const last = live.at(-1)
  const isLong = last !== undefined && own.includes(last) && live.length >= KNOWN_FROM
  const unknownCount = isLong ? Math.max(0, activeCount - live.length) : 0
  return { generations: [...completed, ...others], unknownCount }
}

/** A queue with fewer cached items is completely known: the page loads the next part of a longer one before. */
const KNOWN_FROM = 40

/** How long a generation stays visible after the queue, in milliseconds: the event with its images may come later. */
const HELD_MS = 700

/** Returns the generations, including those that have just left the queue without an image. */
function useHeldGenerations(canceled: ReadonlySet<number>): readonly Generation[] {
  const generations = useGenerations()
  const [last, setLast] = useState(generations)
  const [held, setHeld] = useState<readonly Generation[]>([])
  const shown = last === generations ? held : heldAfter([...held, ...last], generations, canceled)
  if (last !== generations) {
    setLast(generations)
    setHeld(shown.length === 0 && held.length === 0 ? held : shown)
  }
  useEffect(() => {
    if (held.length === 0) return
    const timer = setTimeout(() => setHeld([]), HELD_MS)
    return () => clearTimeout(timer)
  }, [held])
  return shown.length === 0 ? generations : [...shown, ...generations]
}

/** Returns the generations that were running, have left the queue, and have no image yet. */
export function heldAfter(
  before: readonly Generation[],
  now: readonly Generation[],
  canceled: ReadonlySet<number>,
): readonly Generation[] {
  const known = new Set(now.map(({ itemId }) => itemId))
  return before.filter(
    ({ itemId, status, imageNames }) =>
      status === 'in_progress' &&
      imageNames.length === 0 &&
      !known.has(itemId) &&
      !canceled.has(itemId),
  )
}
