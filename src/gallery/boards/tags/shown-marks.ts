import { useMemo } from 'react'
import { useHasExtension } from '#gallery/api/connection/capabilities.ts'
import { type Tag, useTags } from '#gallery/api/tags/tags.ts'
import { keyOfRating, keyOfTag, RATINGS } from './mark-keys.ts'
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
}

/** Returns the shown rows of ratings and tags. Tags load when their section is unfolded. */
export function useShownMarks(): ShownMarks {
  const hasRatings = useHasExtension('ratings')
  const hasTags = useHasExtension('tags')
  const areRatingsShown = useAreRatingsShown() && hasRatings
  const areTagsShown = useAreTagsShown() && hasTags
  const tags = useTags({ enabled: areTagsShown })
  const unfolded = useUnfoldedTags()
  return useMemo(() => {
    const all = tagRows(
      areTagsShown ? (tags ?? NO_TAGS) : NO_TAGS,
      (name) => !unfolded.includes(name),
    )
    const rows = all.slice(0, MAX_ROWS)
    const keys = [
      ...(areRatingsShown ? RATINGS.map(keyOfRating) : []),
      ...rows.map(({ name }) => keyOfTag(name)),
    ]
    return {
      ...{ hasRatings, hasTags, areRatingsShown, areTagsShown, keys },
      rows: tags && rows,
      leftOut: all.length - rows.length,
    }
  }, [hasRatings, hasTags, areRatingsShown, areTagsShown, tags, unfolded])
}
