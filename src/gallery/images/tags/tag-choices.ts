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

/** Returns the tags that contain a text, those of the images first. */
export function tagChoices(
  tags: readonly Tag[],
  onImages: ReadonlyMap<string, number> | undefined,
  typed: string,
): TagChoices {
  const wanted = tagKey(typed)
  const known = new Set(tags.map(({ name }) => tagKey(name)))
  // The list of the library can be older than the images.
  const unlisted = [...(onImages ?? [])].filter(([name]) => !known.has(tagKey(name)))
  const counts = new Map([...(onImages ?? [])].map(([name, count]) => [tagKey(name), count]))
  const all = [
    ...tags,
    ...unlisted.map(([name, count]) => ({ name, color: null, count, used_at: '' })),
  ]
  const part = spaced(wanted)
  const found = all.filter(({ name }) => spaced(tagKey(name)).includes(part))
  const choiceOf = ({ name, color, count }: Tag): TagChoice => ({
    ...{ name, color, count },
    onImages: onImages && (counts.get(tagKey(name)) ?? 0),
  })
  const isPresent = ({ name }: Tag) => counts.has(tagKey(name))
  const absent = found.filter((tag) => !isPresent(tag)).sort(startingWith(wanted))
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
  const isNew = name !== null && !all.some((tag) => tagKey(tag.name) === tagKey(name))
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

/** Completes a tag only if it begins with the text, and takes no tag away whose name is longer. */
function firstOf(found: readonly Tag[], absent: readonly Tag[], wanted: string, isNew: boolean) {
  const exact = found.find(({ name }) => tagKey(name) === wanted)
  const begun = absent.find(({ name }) => tagKey(name).startsWith(wanted))
  return (exact ?? begun)?.name ?? (isNew ? null : absent[0]?.name)
}

/** Sorts tags that begin with the text before others. */
const startingWith = (wanted: string) => (one: Tag, other: Tag) =>
  Number(tagKey(other.name).startsWith(wanted)) - Number(tagKey(one.name).startsWith(wanted))
