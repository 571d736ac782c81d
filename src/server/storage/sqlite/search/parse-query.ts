import { splitCjk } from './split-words.ts'

/** More words than anybody types; a bound for what a query may cost. */
const MAX_WORDS = 32

/** With so many letters at its end, a word also stands for all that begin with it; fewer would match too much. */
const ENDS_IN_LETTERS = /[\p{L}\p{N}]{3}$/u

const PARTS = /"([^"]*)"?|([^\s"]+)/gu
const SEARCHABLE = /[\p{L}\p{N}]/u
// biome-ignore lint/suspicious/noControlCharactersInRegex: NUL ends the text of a full-text query.
const CONTROLS = /[\u0000-\u001f]/g

/**
 * What a person typed, as expressions of the full-text index that must all match: one for each word
 * and each "phrase". A quote that is not closed reaches to the end.
 *
 * @returns Expressions that are always well formed: whatever was typed stands in quotes. Empty where
 *   nothing was typed that could be found.
 */
export const parseQuery = (query: string): string[] =>
  [...query.replace(CONTROLS, ' ').matchAll(PARTS)]
    .flatMap(([, phrase = '', word]) => (word === undefined ? phraseOf(phrase) : wordsOf(word)))
    .slice(0, MAX_WORDS)

const phraseOf = (phrase: string): string[] =>
  SEARCHABLE.test(phrase) ? [`"${splitCjk(phrase)}"`] : []

const wordsOf = (word: string): string[] => {
  if (!SEARCHABLE.test(word)) return []
  const split = splitCjk(word)
  return [ENDS_IN_LETTERS.test(split) ? `"${split}"*` : `"${split}"`]
}
