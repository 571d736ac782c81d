import { tagKey, tagNameIn } from '#contract/search/tag-names.ts'
import { TAG_NAME_FAULT } from '#gallery/api/tags/tag-name-fault.ts'
import type { Tag } from '#gallery/api/tags/tags.ts'

/** A tag to switch on or off. */
export interface TagChoice {
  readonly name: string
  readonly color: string | null
  /** Number of images in the library. */
  readonly count: number
  /** Number of the chosen images that have it; undefined while it is not known. */
  readonly onImages: number | undefined
}

export interface TagChoices {
  /** Tags of the images. */
  readonly present: readonly TagChoice[]
  /** Tags that were added to images last. */
  readonly recent: readonly TagChoice[]
  readonly others: readonly TagChoice[]
  /** Number of others that are not listed. */
  readonly leftOut: number
  /** The name of the tag that can be created; null: the text is no new name. */
  readonly newName: string | null
  /** Why the text is no name. null: it is one, or it is empty. */
  readonly fault: string | null
  /** The name that Enter takes; `null` for the new one, undefined for none. */
  readonly first: string | null | undefined
}

const MAX_RECENT = 5
const MAX_OTHERS = 50

/** A tag with its key, which takes too long to compute for thousands of tags at each letter. */
export interface KeyedTag extends Tag {
  readonly key: string
}

export const withKeys = (tags: readonly Tag[]): readonly KeyedTag[] =>
  tags.map((tag) => ({ ...tag, key: tagKey(tag.name) }))

/** Returns the tags that contain a text, those of the images first. */
export function tagChoices(
  tags: readonly KeyedTag[],
  onImages: ReadonlyMap<string, number> | undefined,
  typed: string,
): TagChoices {
  const wanted = tagKey(typed)
  const counts = new Map([...(onImages ?? [])].map(([name, count]) => [tagKey(name), count]))
  const known = new Set(tags.map(({ key }) => key))
  // The list of the library can be older than the images.
  const unlisted = [...(onImages ?? [])]
    .map(([name, count]) => ({ name, color: null, count, used_at: '', key: tagKey(name) }))
    .filter(({ key }) => !known.has(key))
  const part = spaced(wanted)
  const found = [...tags, ...unlisted].filter(({ key }) => spaced(key).includes(part))
  const choiceOf = ({ name, color, count, key }: KeyedTag): TagChoice => ({
    ...{ name, color, count },
    onImages: onImages && (counts.get(key) ?? 0),
  })
  const isPresent = ({ key }: KeyedTag) => counts.has(key)
  const begins = ({ key }: KeyedTag) => key.startsWith(wanted)
  const unused = found.filter((tag) => !isPresent(tag))
  const absent = [...unused.filter(begins), ...unused.filter((tag) => !begins(tag))]
  const recent =
    wanted === ''
      ? absent
          .filter(({ used_at, count }) => used_at !== '' && count > 0)
          .toSorted((one, other) => (one.used_at < other.used_at ? 1 : -1))
          .slice(0, MAX_RECENT)
      : []
  const others = absent.filter((tag) => !recent.includes(tag))
  const name = tagNameIn(typed)
  const isTyped = wanted !== ''
  const isNew = name !== null && !known.has(wanted) && !counts.has(wanted)
  return {
    present: found.filter(isPresent).map(choiceOf),
    recent: recent.map(choiceOf),
    others: others.slice(0, MAX_OTHERS).map(choiceOf),
    leftOut: Math.max(0, others.length - MAX_OTHERS),
    newName: isNew ? name : null,
    fault: isTyped && name === null && found.length === 0 ? TAG_NAME_FAULT : null,
    first: isTyped
      ? firstOf(found, absent, wanted, isNew)
      : (recent[0] ?? others[0] ?? found.find(isPresent))?.name,
  }
}

/** So that `sea view` finds `sea-view`. */
const spaced = (key: string): string => key.replace(/[-_.]+/g, ' ')

/** Takes the text as the whole name. Completes only text that is no name, such as `people/`, and takes no tag away then. */
const firstOf = (
  found: readonly KeyedTag[],
  absent: readonly KeyedTag[],
  wanted: string,
  isNew: boolean,
): string | null | undefined =>
  isNew ? null : (found.find(({ key }) => key === wanted) ?? absent[0])?.name
