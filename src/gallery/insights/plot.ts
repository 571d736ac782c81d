import { formatBytes, formatCount } from '#gallery/ui/text/count.ts'

/** A value with its own mark. */
export interface PlotValue {
  /** Unique in its plot, such as `2026-05`. */
  readonly id: string
  /** The text that people read. */
  readonly label: string
  /** Number of images and videos. */
  readonly count: number
  /** The size of their files. Absent: the mark shows the count. */
  readonly bytes?: number
  /** The condition that finds exactly these images. */
  readonly condition: string
}

export interface Plot {
  /** Part of the names of saved files. */
  readonly id: string
  readonly title: string
  /** The heading of the column of values, such as `Model`. */
  readonly property: string
  /** The most frequent ones first; days and months in the order of time. */
  readonly values: readonly PlotValue[]
  /** Number of all values. */
  readonly total: number
  /** A sentence about how it was counted. */
  readonly note?: string
}

/** Number of values that a table has. Files have all of them. */
export const TABLE_VALUES = 50

export const amountOf = ({ count, bytes }: PlotValue): number => bytes ?? count

export const amountText = ({ count, bytes }: PlotValue): string =>
  bytes === undefined ? formatCount(count) : formatBytes(bytes)

/** Returns all values as a file for spreadsheets. */
export const csvOf = (property: string, values: readonly PlotValue[]): string => {
  const hasBytes = values.some(({ bytes }) => bytes !== undefined)
  const rows = [
    [property, 'Images', ...(hasBytes ? ['Bytes'] : [])],
    ...values.map(({ label, count, bytes }) => [label, count, ...(hasBytes ? [bytes ?? ''] : [])]),
  ]
  // Spreadsheets take a file without this mark for one in an older encoding.
  return `\uFEFF${rows.map((row) => row.map(cellOf).join(',')).join('\r\n')}\r\n`
}

const cellOf = (value: string | number): string => {
  const text = String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
