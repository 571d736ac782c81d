import { tagKey } from '#contract/search/tag-names.ts'

/** The query key of the tags of the library. */
export const TAGS_KEY = ['tags'] as const

/** Returns true if a tag is in a list, in any spelling. */
export const hasTag = (tags: readonly string[], tag: string): boolean => {
  const key = tagKey(tag)
  return tags.some((one) => one === tag || tagKey(one) === key)
}

/** Adds a tag to a sorted list, or removes it. */
export const withTag = (tags: readonly string[], tag: string, isAdded: boolean): string[] => {
  if (hasTag(tags, tag) === isAdded) return [...tags]
  if (isAdded) return [...tags, tag].sort(byName)
  const key = tagKey(tag)
  return tags.filter((one) => tagKey(one) !== key)
}

const byName = (one: string, other: string): number => {
  const [a, b] = [tagKey(one), tagKey(other)]
  return a < b ? -1 : Number(a > b)
}
