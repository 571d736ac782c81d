import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import type { ImageView } from '#gallery/api/images/image-windows.ts'
import {
  type GenerationCell,
  generationCellsOf,
  roomFor,
  shownImageOf,
  type ViewGenerations,
} from './generation-cells.ts'

const NONE: readonly GenerationCell[] = []

/** Returns the cells of a view's generations, from left to right. */
export function useGenerationCells(
  view: ImageView,
  viewGenerations: ViewGenerations | undefined,
  columns: number,
  isInPlace: boolean,
): readonly GenerationCell[] {
  const shownItems = useShownItems(view, viewGenerations)
  // The next cells depend on the last ones.
  const [last, setLast] = useState<{ cells: typeof NONE; from: readonly unknown[] }>({
    cells: NONE,
    from: [],
  })
  const from = [viewGenerations, shownItems, columns, isInPlace]
  if (from.every((value, at) => value === last.from[at])) return last.cells
  const cells = cellsAfter(last.cells, viewGenerations, shownItems, columns, isInPlace)
  setLast({ cells, from })
  return cells
}

function cellsAfter(
  before: readonly GenerationCell[],
  viewGenerations: ViewGenerations | undefined,
  shownItems: readonly number[],
  columns: number,
  isInPlace: boolean,
): readonly GenerationCell[] {
  if (!viewGenerations || viewGenerations.generations.length === 0) return NONE
  const generations = viewGenerations.generations.filter(
    ({ itemId }) => !shownItems.includes(itemId),
  )
  const hadTiles = new Set(before.flatMap(({ generation }) => generation?.itemId ?? []))
  const unshown = { ...viewGenerations, generations }
  const inTurn = generationCellsOf(unshown, roomFor(columns, !isInPlace), hadTiles)
  // The next to complete is placed directly before the images, because its image will be inserted there.
  return isInPlace ? inTurn.reverse() : inTurn
}

const NO_ITEMS: readonly number[] = []

/** Time after its image was inserted at which an item that still runs counts as generating another, in milliseconds. */
const GOES_ON_MS = 800

/** Returns the items whose images the view already shows. Their tiles disappear in the same frame. */
function useShownItems(
  view: ImageView,
  viewGenerations: ViewGenerations | undefined,
): readonly number[] {
  const { imageQueries } = useGallery()
  const client = useQueryClient()
  const [goingOn, setGoingOn] = useState<string | undefined>(undefined)
  const front = client.getQueryData(imageQueries.window(view, 0).queryKey)?.items ?? []
  const shownItems = (viewGenerations?.generations ?? []).flatMap(({ itemId, status, ...made }) => {
    const shown = status === 'failed' ? undefined : shownImageOf(made, front)
    return shown === undefined ? [] : [{ itemId, status, shown }]
  })
  const running = shownItems.find(({ status }) => status === 'in_progress')?.shown
  useEffect(() => {
    const timer = setTimeout(() => setGoingOn(running), GOES_ON_MS)
    return () => clearTimeout(timer)
  }, [running])
  const over = shownItems.filter(({ status, shown }) => status === 'completed' || shown !== goingOn)
  const ids = over.length === 0 ? '' : JSON.stringify(over.map(({ itemId }) => itemId))
  return useMemo((): readonly number[] => (ids === '' ? NO_ITEMS : JSON.parse(ids)), [ids])
}

/** Returns true if starred images are at the start of the view, as far as is known. */
export function useHasStarredHead(view: ImageView): boolean {
  const { imageQueries } = useGallery()
  const { data } = useQuery({ ...imageQueries.window(view, 0), enabled: false })
  return view.starredFirst && data?.items[0]?.starred === true
}
