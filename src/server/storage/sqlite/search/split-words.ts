const CJK =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\u30fc]/gu

/** Puts each character of a script without word breaks in a word of its own, so that any part of a run is found. */
export const splitCjk = (text: string): string => text.replace(CJK, ' $& ')
