/** Characters that are written from right to left, or that change the direction of the text after them. */
const CHANGES_DIRECTION =
  /[\p{Bidi_Control}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u
const BIDI_CONTROLS = /\p{Bidi_Control}/gu

const FIRST_STRONG_ISOLATE = '\u2068'
const POP_DIRECTIONAL_ISOLATE = '\u2069'

/**
 * A name for use inside an English sentence. A name that is written from right to left would otherwise
 * reorder the words and numbers around it. An element that holds only a name has `dir="auto"` instead.
 */
export const isolated = (name: string): string =>
  CHANGES_DIRECTION.test(name)
    ? `${FIRST_STRONG_ISOLATE}${name.replaceAll(BIDI_CONTROLS, '')}${POP_DIRECTIONAL_ISOLATE}`
    : name
