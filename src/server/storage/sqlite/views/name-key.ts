/** Longer runs of digits than this are no number that anybody counts with; they are compared in parts. */
const NUMBER = /0*(\d{1,99})/g

/**
 * A text whose bytes order images by name as a person would: letters alike in both cases and with accents or
 * without, numbers by their value, since each tells first how many digits it has (`9` is `019`, `10` is `0210`).
 */
export const nameKeyOf = (image: { file_name: string | null; image_name: string }): string =>
  (image.file_name || image.image_name)
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(NUMBER, (_, digits: string) => String(digits.length).padStart(2, '0') + digits)
