/** Longer runs of digits are unlikely to be numbers and are compared in parts. */
const NUMBER = /0*(\d{1,99})/g

/**
 * Returns a text whose bytes sort images by name in natural order: case and accents are ignored, and numbers are
 * compared by their value, because each one is prefixed with its number of digits (`9` is `019`, `10` is `0210`).
 */
export const nameKeyOf = (image: { file_name: string | null; image_name: string }): string =>
  (image.file_name || image.image_name)
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(NUMBER, (_, digits: string) => String(digits.length).padStart(2, '0') + digits)
