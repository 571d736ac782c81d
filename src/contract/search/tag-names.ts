import { MAX_TAG_LENGTH } from '#contract/limits.ts'

const CONTROLS = /\p{Cc}/u

/** Marks that are accents. In other scripts marks make other letters, as of か and が. */
const ACCENTS = /([\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{N}])\p{M}+/gu

/** Returns the levels of the name of a tag, such as `people` and `anna`. */
export const tagLevels = (name: string): string[] =>
  name.split('/').map((level) => level.trim().replace(/\s+/g, ' '))

/** Returns the name of a tag without superfluous spaces. null: it is empty, too long, or has an empty level. */
export const tagNameIn = (text: string): string | null => {
  if (CONTROLS.test(text)) return null
  const levels = tagLevels(text)
  const name = levels.join('/')
  return levels.includes('') || name.length > MAX_TAG_LENGTH ? null : name
}

/**
 * Two names with the same key are one tag: case, accents and spaces do not matter, other characters do. The key of a
 * level begins with the key of the level above it and `/`.
 */
export const tagKey = (name: string): string =>
  tagLevels(name)
    .map((level) => levelKey(level) || level)
    .join('/')

const levelKey = (level: string): string =>
  level
    .normalize('NFKD')
    .replace(ACCENTS, '$1')
    .toLowerCase()
    .normalize('NFKC')
    // No condition of a search can contain a quote.
    .replace(/["\s]+/g, ' ')
    .trim()
    // Other characters may consist of a slash, which would make a level.
    .replaceAll('/', '\u2044')
