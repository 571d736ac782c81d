import { MAX_RATING } from '#contract/limits.ts'
import type { Marks } from '#server/core/images/picture-ports.ts'
import { readXmpLists } from './read-xmp.ts'

const MAX_TAGS_OF_FILE = 100

/** Levels of tags in other programs, and the character that separates them. */
const hierarchies = [
  { name: 'lr:hierarchicalSubject', separator: '|' },
  { name: 'digiKam:TagsList', separator: '/' },
] as const

type Lists = ReadonlyMap<string, readonly string[]>

const ratingIn = (properties: Lists): number | null => {
  const rating = Math.round(Number(properties.get('xmp:Rating')?.[0] ?? Number.NaN))
  // -1 means rejected.
  return rating >= 1 && rating <= MAX_RATING ? rating : null
}

const tagsIn = (properties: Lists): string[] => {
  const tags = hierarchies.flatMap(({ name, separator }) =>
    (properties.get(name) ?? []).map((tag) => tag.split(separator).join('/')),
  )
  const levels = new Set(tags.flatMap((tag) => tag.toLowerCase().split('/')))
  // Programs repeat each level as a subject.
  const subjects = (properties.get('dc:subject') ?? []).filter(
    (subject) => !levels.has(subject.toLowerCase()),
  )
  const label = properties.get('xmp:Label')?.[0]
  return [...tags, ...subjects, ...(label === undefined ? [] : [`label/${label}`])]
}

/** Reads ratings, labels and tags from XMP packets, such as those of Lightroom, digiKam and darktable. The first rating counts. */
export const readMarks = (packets: readonly (Uint8Array | null | undefined)[]): Marks => {
  const all = packets.map(readXmpLists)
  const rating = all.map(ratingIn).find((one) => one !== null) ?? 0
  const tags = new Map(all.flatMap(tagsIn).map((tag) => [tag.toLowerCase(), tag]))
  return { rating, tags: [...tags.values()].slice(0, MAX_TAGS_OF_FILE) }
}
