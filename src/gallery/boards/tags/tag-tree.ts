import { tagKey, tagLevels } from '#contract/search/tag-names.ts'
import type { Tag } from '#gallery/api/tags/tags.ts'

/** A tag of the sidebar, or the level above tags. */
export interface TagRow {
  /** The whole name. */
  readonly name: string
  /** The last level of the name. */
  readonly label: string
  /** Number of levels above it. */
  readonly depth: number
  /** null: only levels below it are tags. */
  readonly tag: Tag | null
  readonly hasLevels: boolean
  /** True if images have this tag or one below it. */
  readonly hasImages: boolean
  readonly isFolded: boolean
}

interface Level {
  readonly name: string
  readonly label: string
  tag: Tag | null
  hasImages: boolean
  readonly levels: Map<string, Level>
}

/** Returns the rows of tags in the order of their names, without those below folded ones. */
export function tagRows(tags: readonly Tag[], isFolded: (name: string) => boolean): TagRow[] {
  const top = new Map<string, Level>()
  for (const tag of tags) {
    let at = top
    const above: string[] = []
    for (const label of tagLevels(tag.name)) {
      above.push(label)
      const key = tagKey(label)
      const known = at.get(key)
      const name = above.join('/')
      const level = known ?? { name, label, tag: null, hasImages: false, levels: new Map() }
      if (known === undefined) at.set(key, level)
      if (name === tag.name) level.tag = tag
      level.hasImages ||= tag.count > 0
      at = level.levels
    }
  }
  const rowsOf = (levels: Map<string, Level>, depth: number): TagRow[] =>
    [...levels.values()].flatMap(({ levels: below, ...level }) => {
      const hasLevels = below.size > 0
      const folded = hasLevels && isFolded(level.name)
      const row = { ...level, depth, hasLevels, isFolded: folded }
      return [row, ...(folded ? [] : rowsOf(below, depth + 1))]
    })
  return rowsOf(top, 0)
}
