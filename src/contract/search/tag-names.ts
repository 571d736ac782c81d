import { MAX_TAG_LENGTH } from '#contract/limits.ts'
import { nameKey } from './names.ts'

const CONTROLS = /\p{Cc}/u

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

/** Two names with the same key are one tag. The key of a level begins with the key of the level above it and `/`. */
export const tagKey = (name: string): string => tagLevels(name).map(nameKey).join('/')
