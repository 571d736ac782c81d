import { useMemo } from 'react'
import { useHasExtension } from '#gallery/api/connection/capabilities.ts'
import { type Tag, useTags } from '#gallery/api/tags/tags.ts'
import { ALL_BOARDS } from '#gallery/url/place-order.ts'
import { usePlace } from '#gallery/url/use-place.ts'
import { keyOfRating, keyOfTag, placeOfRating, placeOfTag, RATINGS } from './marks.ts'
import { useAreRatingsShown, useAreTagsShown, useUnfoldedTags } from './tag-store.ts'
import { type TagRow, tagRows } from './tag-tree.ts'

/** More rows would make the sidebar slow. The search completes the others. */
const MAX_ROWS = 300

const NO_TAGS: readonly Tag[] = []

export interface ShownMarks {
  readonly hasRatings: boolean
  readonly hasTags: boolean
  readonly areRatingsShown: boolean
  readonly areTagsShown: boolean
  /** undefined while they load. */
  readonly rows: readonly TagRow[] | undefined
  /** Number of tags that have no row. */
  readonly leftOut: number
  /** The keys of the shown rows, in their order. */
  readonly keys: readonly string[]
  /** The key of the row whose images are open; undefined: of none. */
  readonly current: string | undefined
}

/** Returns the shown rows of ratings and tags. Tags load when their section is unfolded. */
export function useShownMarks(): ShownMarks {
  const hasRatings = useHasExtension('ratings')
  const hasTags = useHasExtension('tags')
  const areRatingsShown = useAreRatingsShown() && hasRatings
  const areTagsShown = useAreTagsShown() && hasTags
  const tags = useTags({ enabled: areTagsShown })
  const unfolded = useUnfoldedTags()
  const { board, search, page, query } = usePlace()
  const isQueryOnly = board === ALL_BOARDS && search === null && page === null
  return useMemo(() => {
    const all = tagRows(
      areTagsShown ? (tags ?? NO_TAGS) : NO_TAGS,
      (name) => !unfolded.includes(name),
    )
    const rows = all.slice(0, MAX_ROWS)
    const ratings = areRatingsShown ? RATINGS : []
    const keys = [...ratings.map(keyOfRating), ...rows.map(({ name }) => keyOfTag(name))]
    const places = [...ratings.map(placeOfRating), ...rows.map(placeOfTag)]
    const at = isQueryOnly ? places.findIndex((place) => place.query === query) : -1
    return {
      ...{ hasRatings, hasTags, areRatingsShown, areTagsShown, keys, current: keys[at] },
      rows: tags && rows,
      leftOut: all.length - rows.length,
    }
  }, [hasRatings, hasTags, areRatingsShown, areTagsShown, tags, unfolded, isQueryOnly, query])
}
