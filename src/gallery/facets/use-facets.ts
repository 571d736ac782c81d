import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Facet, FacetValue } from '#contract/search/facets.ts'
import { tagKey } from '#contract/search/tag-names.ts'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import type { ImageView } from '#gallery/api/images/image-windows.ts'
import { useAfterPause } from '#gallery/ui/use-after-pause.ts'
import { choicesIn, type FacetChoice } from './facet-choices.ts'
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
  const choices = choicesIn(view.query)
  // A chosen value is shown with its count, also if others are more frequent.
  const limit = choices.length > 0 ? MANY : FEW
  const withLevels = choices.some(isLevel) ? [...keys, 'tag_level' as const] : keys
  return useQuery({
    ...imageQueries.facets(view, { keys: withLevels, limit, text: '' }),
    placeholderData: keepPreviousData,
  })
}

/** Returns true for a tag with those below it: `people/`. */
const isLevel = ({ key, value }: FacetChoice): boolean => key === 'tag' && value.endsWith('/')

/** Returns the counts of the chosen values that are levels of tags, which the list of tags does not have. */
export const levelsIn = (
  facets: readonly Facet[],
  choices: readonly FacetChoice[],
): readonly FacetValue[] => {
  const counted = facets.find(({ key }) => key === 'tag_level')?.values ?? []
  return choices.filter(isLevel).flatMap(({ value }) => {
    const level = counted.find((each) => tagKey(`${each.value}/`) === tagKey(value))
    return level ? [{ value, count: level.count }] : []
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
