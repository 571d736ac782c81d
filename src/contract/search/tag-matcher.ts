import { nameMatcher, nameTokens } from './names.ts'
import { tagKey } from './tag-names.ts'

/** Characters that are neither part of a word nor usual between words. */
const SIGN = /[^\p{L}\p{M}\p{N}\s/_.,'’-]/u

/** Returns the text that names of tags must contain as written, such as `c#`. null: the text has only words. */
export const signedText = (text: string): string | null => {
  const key = tagKey(text)
  return SIGN.test(key) ? key : null
}

/**
 * Returns a test of names of tags against the value of a condition: the name must contain its words, as with
 * `nameMatcher`, and its signs as they are written, so that `c#` does not find `C`.
 */
export const tagMatcher = (text: string): ((name: string) => boolean) => {
  const signed = signedText(text)
  const hasWords = nameMatcher(text, { isExact: false })
  if (signed === null) return hasWords
  const isOnlySigns = nameTokens(text).length === 0
  return (name) => tagKey(name).includes(signed) && (isOnlySigns || hasWords(name))
}
