import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Facet } from '#contract/search/facets.ts'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import type { ImageView } from '#gallery/api/images/image-windows.ts'
import { useAfterPause } from '#gallery/ui/use-after-pause.ts'
import { choicesIn } from './facet-choices.ts'
import { type SectionKey, sectionKeys, textForServer } from './facet-sections.ts'

/** Number of values of a section. */
export const FEW = 8
/** Number of values of an opened list. */
export const MANY = 200

/** Counts the values of all sections in one request. The last counts are shown until the new ones arrive. */
export function useFacets(view: ImageView) {
  const { imageQueries } = useGallery()
  // All images of a board are on this board.
  const keys = view.boardId === null ? sectionKeys : sectionKeys.filter((key) => key !== 'board')
  // A chosen value is shown with its count, also if others are more frequent.
  const limit = choicesIn(view.query).length > 0 ? MANY : FEW
  return useQuery({
    ...imageQueries.facets(view, { keys, limit, text: '' }),
    placeholderData: keepPreviousData,
  })
}

/** Delay between the last keystroke and the request, in milliseconds. */
const TYPING_PAUSE_MS = 200

/** Lists many values of one property that contain a text. */
export function useValues(view: ImageView, key: SectionKey, text: string) {
  const { imageQueries } = useGallery()
  const wanted = useAfterPause(text.trim(), TYPING_PAUSE_MS)
  return useQuery({
    ...imageQueries.facets(view, { keys: [key], limit: MANY, text: textForServer(key, wanted) }),
    placeholderData: keepPreviousData,
    select: ([facet]: readonly Facet[]) => facet,
  })
}
