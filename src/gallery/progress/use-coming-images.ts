import { useMemo } from 'react'
import { type Generation, useActiveCount } from '#gallery/api/generations.ts'
import type { ImageView } from '#gallery/api/image-windows.ts'
import { wasCanceled } from './act-on-generation.ts'
import { useHeldGenerations } from './use-held-generations.ts'

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
