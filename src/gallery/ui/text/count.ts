import { perLocale } from './locale.ts'

const integers = perLocale((locale) => new Intl.NumberFormat(locale))

const oneDecimal = perLocale(
  (locale) => new Intl.NumberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 }),
)

const BYTE_UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const

/** Formats `12431` as `12,431`. */
export const formatCount = (count: number): string => integers().format(count)

/** Formats `3.25` as `3.3`. */
export const formatDecimal = (value: number): string => oneDecimal().format(value)

/** Returns text such as `1 image` or `12,431 images`. */
export const countOf = (count: number, singular: string, plural = `${singular}s`): string =>
  `${formatCount(count)} ${count === 1 ? singular : plural}`

/** Returns text such as `312 images, 1.2 GiB`; without the size while it is unknown. */
export const sizedCount = (
  count: number,
  bytes: number | null | undefined,
  singular = 'image',
): string => {
  const images = countOf(count, singular)
  return bytes === null || bytes === undefined ? images : `${images}, ${formatBytes(bytes)}`
}

/** Formats a size in binary units, as the server's flags use: `812 B`, `4.1 MiB`. */
export function formatBytes(bytes: number): string {
  let value = bytes
  let unit = 0
  // Rounding up must not give 1024 of a unit.
  while (value >= 1023.5 && unit < BYTE_UNITS.length - 1) {
    value /= 1024
    unit += 1
  }
  const isWhole = unit === 0 || value >= 99.95
  return `${isWhole ? formatCount(Math.round(value)) : formatDecimal(value)} ${BYTE_UNITS[unit]}`
}
