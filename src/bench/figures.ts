import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A measured value. */
export interface Figure {
  /** The measurement and its subject: "page of 100 in the middle, 1,000,000 rows". */
  name: string
  /** The median if there are several measurements. */
  value: number
  unit:
    | 'ms'
    | 'MB/s'
    | 'images/s'
    | 'clips/s'
    | 'items/s'
    | 'events/s'
    | 'megapixels/s'
    | 'frames/s'
    | 'KB'
    | 'MB'
    | '%'
    | 'x'
    | 'requests'
    | 'requests/s'
    | 'nodes'
    | 'px'
  /** A value from the same run to compare with, such as a small library or bare sharp. */
  baseline?: { name: string; value: number }
  /** The target as text. */
  mark?: string
}

/** Prints figures in columns, and saves them for `npm run bench` to write to its file. */
export function reportFigures(bench: string, figures: readonly Figure[]): void {
  console.log(tableOf(figures))
  const folder = process.env.TESSERA_BENCH_FOLDER
  if (folder === undefined) return
  writeFileSync(join(folder, `${bench}.json`), JSON.stringify(figures, null, 2))
}

/** Returns the median. For an even count, returns the mean of the two middle values. */
export function median(values: readonly number[]): number {
  const inOrder = [...values].sort((a, b) => a - b)
  const middle = (inOrder.length - 1) / 2
  const low = inOrder[Math.floor(middle)] ?? Number.NaN
  const high = inOrder[Math.ceil(middle)] ?? Number.NaN
  return (low + high) / 2
}

/** Returns the value that 99 of 100 values do not exceed. */
export const p99 = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length * 0.99)] ?? Number.NaN

function tableOf(figures: readonly Figure[]): string {
  const rows = figures.map(({ name, value, unit, baseline, mark }) => [
    name,
    `${short(value)} ${unit}`,
    baseline
      ? `${short(value / baseline.value)} x ${baseline.name} (${short(baseline.value)})`
      : '',
    mark ?? '',
  ])
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** Formats a number with three significant digits. */
const short = (value: number): string =>
  Math.abs(value) >= 100 ? value.toFixed(0) : String(Number(value.toPrecision(3)))
