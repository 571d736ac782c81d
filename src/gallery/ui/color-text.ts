/** Writes red, green and blue, 0 to 255, as a color: `#ff8800`. */
export const hexOf = (color: readonly number[]): string =>
  `#${color.map((part) => part.toString(16).padStart(2, '0')).join('')}`
