import { tokensOf } from './parse-query.ts'

/** Tags such as `<lora:film:0.8>` name models. */
const TAGS = /<[^<>]*>/g

/** Scripts without spaces between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u

const MIN_LETTERS = 3
const MIN_UNSPACED_LETTERS = 2
const LETTER = /\p{L}/u

/** Words that say nothing about a picture. */
const STOP_WORDS = new Set(
  `about above after all also and any are around aus behind been being below beneath between but can con das dem den der des
  die down each ein eine est for from has have her hers his into its les los mit more most near not off only onto other our
  out over por que she some than that the their them then there these they this those through too und under une until upon
  very von was were what when where which while who whose will with without you your zum zur`.split(
    /\s+/,
  ),
)

/** Returns the different words of a prompt in lower case, without those that say nothing about a picture. */
export const promptWords = (prompt: string): Set<string> => {
  const words = new Set<string>()
  // Most prompts have no such words. Testing each token would double the time.
  const hasUnspaced = UNSPACED.test(prompt)
  for (const token of tokensOf(prompt.replace(TAGS, ' ').toLowerCase())) {
    if (hasUnspaced && UNSPACED.test(token))
      for (const word of unspacedWords(token)) words.add(word)
    else if (token.length >= MIN_LETTERS && LETTER.test(token) && !STOP_WORDS.has(token))
      words.add(token)
  }
  return words
}

const unspacedWords = (text: string): string[] =>
  [...new Intl.Segmenter(undefined, { granularity: 'word' }).segment(text)]
    .filter(({ isWordLike }) => isWordLike)
    .map(({ segment }) => segment)
    .filter((word) => [...word].length >= MIN_UNSPACED_LETTERS)
