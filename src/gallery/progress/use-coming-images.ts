import { useEffect, useMemo, useState } from 'react'
import type { ImageView } from '#gallery/api/images/image-windows.ts'
import { type Generation, useActiveCount, useGenerations } from '#gallery/api/queue/generations.ts'
import { wasCanceled } from './generation-tile.tsx'

/** What will land in a view. */
export interface ComingImages {
  /** In the order in which they run; those that failed come last. */
  readonly generations: readonly Generation[]
  /** How many more wait of which nothing else is known. */
  readonly unknownCount: number
}

const isLive = ({ status }: Generation) => status === 'pending' || status === 'in_progress'

/** What is being made for a view. What a search will find, or a filter let through, cannot be told before. */
export function useComingImages(view: ImageView): ComingImages {
  const all = useHeldGenerations()
  const active = useActiveCount()
  const { boardId, query, categories } = view
  const isTold = query === '' && (categories?.includes('general') ?? true)
  return useMemo(
    () => comingOf(all, active, isTold ? boardId : undefined),
    [all, active, isTold, boardId],
  )
}

/** @param boardId - `null`: every board; undefined: none. */
export function comingOf(
  all: readonly Generation[],
  activeCount: number,
  boardId: string | null | undefined,
): ComingImages {
  // Where the line comes back at that moment, what was canceled here would seem to be interrupted.
  const isOver = ({ itemId, status }: Generation) => status === 'failed' && wasCanceled(itemId)
  const own = all.filter((one) => (boardId === null || one.boardId === boardId) && !isOver(one))
  const landing = own.filter(({ status }) => status === 'completed').reverse()
  const others = own.filter(({ status }) => status !== 'completed')
  const live = all.filter(isLive)
  // Of a long queue only the front is known. What follows is taken to land where the last of it does.
  const last = live.at(-1)
  const isLong = last !== undefined && own.includes(last) && live.length >= KNOWN_FROM
  const unknownCount = isLong ? Math.max(0, activeCount - live.length) : 0
  return { generations: [...landing, ...others], unknownCount }
}

/** A shorter queue is known wholly: the page asks for the next part of a long one before it is. */
const KNOWN_FROM = 40

/** An answer may say that an item is done before the event that says what it made: so long it stays, in ms. */
const HELD_MS = 700

/** What is being made; what ran a moment ago and has not said yet what came of it is still among it. */
function useHeldGenerations(): readonly Generation[] {
  const generations = useGenerations()
  const [last, setLast] = useState(generations)
  const [held, setHeld] = useState<readonly Generation[]>([])
  const shown = last === generations ? held : heldAfter([...held, ...last], generations)
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

/** Of what was shown, what ran, is gone, and has told of no image. */
export function heldAfter(
  before: readonly Generation[],
  now: readonly Generation[],
): readonly Generation[] {
  const known = new Set(now.map(({ itemId }) => itemId))
  return before.filter(
    ({ itemId, status, imageNames }) =>
      status === 'in_progress' &&
      imageNames.length === 0 &&
      !known.has(itemId) &&
      !wasCanceled(itemId),
  )
}
