const TOKENS = /[\p{L}\p{N}]+/gu
const MARKS = /\p{M}/gu
const BEYOND_ASCII = /\P{ASCII}/u
const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu

/** Returns the words of a name without case, accents and punctuation. Scripts without spaces are split by character. */
export const nameTokens = (name: string): string[] => {
  // Names of ASCII, which are most, look the same in each normal form.
  const isAscii = !BEYOND_ASCII.test(name)
  const words = (isAscii ? name : name.normalize('NFKD').replace(MARKS, ''))
    .toLowerCase()
    .replaceAll('++', 'pp')
  return (isAscii ? words : words.normalize('NFKC').replace(CJK, ' $& ')).match(TOKENS) ?? []
}

/** Two names with the same key are one value: `flux1-dev` and `FLUX1 dev`. */
export const nameKey = (name: string): string =>
  nameTokens(name).join(' ') || name.trim().toLowerCase()

/** Extensions of model files. */
const MODEL_FILE = /\.(?:safetensors|ckpt|pt|pth|bin|gguf|sft|onnx)$/i
/** The hash that A1111 adds to the name of a model. */
const MODEL_HASH = /\s\[[0-9a-f]{6,64}\]$/i

/** Returns the name of a model without its folders, extension and hash. */
export const plainModelName = (name: string): string => {
  const file = name.trim().split(/[\\/]/).at(-1)?.replace(MODEL_HASH, '').replace(MODEL_FILE, '')
  return file?.trim() || name.trim()
}

/**
 * Returns a test of names against the value of a condition. The words of the value must be in the name, one after the
 * other, and the last one may be the beginning of a longer word.
 */
export const nameMatcher = (
  value: string,
  { isExact }: { isExact: boolean },
): ((name: string) => boolean) => {
  const wanted = nameTokens(value)
  if (isExact || wanted.length === 0) {
    const key = nameKey(value)
    return (name) => nameKey(name) === key
  }
  const last = wanted.length - 1
  return (name) => {
    const tokens = nameTokens(name)
    return tokens.some((_, from) =>
      wanted.every((word, at) => {
        const token = tokens[from + at]
        return at === last ? token?.startsWith(word) : token === word
      }),
    )
  }
}
