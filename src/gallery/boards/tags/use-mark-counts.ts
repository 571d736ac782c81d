import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type Facet, MAX_FACET_VALUES } from '#contract/search/facets.ts'
import { tagKey } from '#contract/search/tag-names.ts'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import { viewOf } from '#gallery/api/images/image-windows.ts'
import { NO_FILTER } from '#gallery/url/place-filter.ts'
import { ALL_BOARDS, TRASH } from '#gallery/url/place-order.ts'
import { usePlace } from '#gallery/url/use-place.ts'
import type { TagRow } from './tag-tree.ts'

interface MarkCounts {
  /** By the rating, or by the key of the tag: the list of tags may spell a level in another way. */
  readonly counts: ReadonlyMap<string, number>
  /** False: values of few images are missing. */
  readonly isComplete: boolean
}

/**
 * Counts the images of ratings or of tags with those below them: all images, and those that a search finds. `found` is
 * undefined without a search.
 */
export function useMarkCounts(key: 'rating' | 'tag_level') {
  const place = usePlace()
  const { imageQueries } = useGallery()
  const isSearched = place.query !== '' && place.board !== TRASH
  const options = { keys: [key], limit: MAX_FACET_VALUES, text: '' }
  const everywhere = { ...place, board: ALL_BOARDS }
  const { data: all } = useQuery({
    ...imageQueries.facets(viewOf({ ...everywhere, ...NO_FILTER, query: '' }), options),
    select: countsIn,
  })
  const { data: found } = useQuery({
    ...imageQueries.facets(viewOf(everywhere), options),
    enabled: isSearched,
    select: countsIn,
    placeholderData: keepPreviousData,
  })
  return { all, found: isSearched ? found : undefined }
}

const countsIn = ([facet]: readonly Facet[]): MarkCounts => ({
  counts: new Map(facet?.values.map(({ value, count }) => [tagKey(value), count])),
  isComplete: facet === undefined || facet.total <= facet.values.length,
})

/**
 * Returns the numbers of images of a tag with those below it. undefined: it is not known. The list of tags is refetched
 * before the counts, so a tag may have images and no count yet.
 */
export function countsOfTag(
  { all, found }: ReturnType<typeof useMarkCounts>,
  { name, tag, hasLevels, hasImages }: Pick<TagRow, 'name' | 'tag' | 'hasLevels' | 'hasImages'>,
) {
  const key = tagKey(name)
  const isNew = hasImages && all?.isComplete === true && !all.counts.has(key)
  const countIn = (known: MarkCounts | undefined) =>
    known?.counts.get(key) ?? (known?.isComplete && !isNew ? 0 : undefined)
  const foundCount = countIn(found)
  // The number of all images would be taken for that of the found ones.
  if (found !== undefined && foundCount === undefined) return { count: undefined, found: undefined }
  // The list of tags is known earlier, but its numbers have no images of tags below.
  const own = hasLevels ? undefined : tag?.count
  return { count: countIn(all) ?? own, found: foundCount }
}

/** Returns the number of images with this rating or a better one. undefined: it is not known. */
export const countOfRating = (
  known: MarkCounts | undefined,
  rating: number,
): number | undefined => {
  if (known === undefined) return undefined
  let sum = 0
  for (const [value, count] of known.counts) if (Number(value) >= rating) sum += count
  return sum
}
