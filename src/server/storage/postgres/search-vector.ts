import type { Expression } from '#server/storage/sql/search/parse-query.ts'
import { tokensOf } from '#server/storage/sql/search/parse-query.ts'
import type { SearchText } from '#server/storage/sql/tables.ts'

/** PostgreSQL stores larger positions as this one, so that phrases beyond it are not exact. */
const MAX_POSITION = 16_383

/** A vector has at most a megabyte of words. Each also takes a few bytes for its positions. */
const MAX_BYTES = 700_000

const MAX_TOKEN_CHARACTERS = 200

/** Keeps phrases from matching across two columns. */
const GAP = 10

/** The texts of an image have weights, so that a query can name them. */
const weights = {
  prompt: 'A',
  negative_prompt: 'B',
  parameters: 'C',
  file_name: 'D',
} as const satisfies Record<keyof SearchText, string>

/** Returns numbers for texts in the order of PostgreSQL: of D, C, B and A. */
export const weightsOf = (numbers: Record<keyof SearchText, number>): number[] => {
  const byLetter = Object.entries(weights).map(
    ([column, letter]) => [letter, numbers[column as keyof SearchText]] as const,
  )
  return byLetter.sort(([one], [other]) => (one < other ? 1 : -1)).map(([, number]) => number)
}

/** Returns a token as FTS5 compares it: without case and accents. */
const folded = (token: string): string =>
  token.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().slice(0, MAX_TOKEN_CHARACTERS)

/** Returns the words of a text in the form of a `tsvector`. Words are only letters and digits, so they need no escapes. */
export const vectorOf = (text: string): string => wordsOf([[text, 'D']])

export const imageVectorOf = (texts: SearchText): string =>
  wordsOf(
    Object.entries(weights).map(([column, weight]) => [texts[column as keyof SearchText], weight]),
  )

const wordsOf = (texts: readonly (readonly [text: string, weight: string])[]): string => {
  const words: string[] = []
  let position = 0
  let bytes = 0
  for (const [text, weight] of texts) {
    for (const token of tokensOf(text)) {
      const word = folded(token)
      bytes += Buffer.byteLength(word) + 4
      if (word === '' || bytes > MAX_BYTES) continue
      position += 1
      words.push(`'${word}':${Math.min(position, MAX_POSITION)}${weight}`)
    }
    position += GAP
  }
  return words.join(' ')
}

/** Writes an expression as a `tsquery`. */
export const tsqueryOf = (expression: Expression, weight = ''): string => {
  if ('and' in expression) return `(${expression.and.map((e) => tsqueryOf(e, weight)).join(' & ')})`
  if ('or' in expression) return `(${expression.or.map((e) => tsqueryOf(e, weight)).join(' | ')})`
  if ('in' in expression) return tsqueryOf(expression.of, weights[expression.in])
  const { tokens, isPrefix } = expression
  const words = tokens.map((token, at) => {
    const flags = `${isPrefix && at === tokens.length - 1 ? '*' : ''}${weight}`
    return `'${folded(token)}'${flags && `:${flags}`}`
  })
  return `(${words.join(' <-> ')})`
}
