import type { SheetProgress } from '#server/core/exports/contact-sheet.ts'
import type { ConvertedProgress, Reasons } from '#server/core/exports/converted-export.ts'
import type { ExportProgress } from '#server/core/exports/export-service.ts'
import { count, durationText, failureLines, listed, row } from './command-line.ts'

/** Counts of a running export, in images. */
export interface DoneCounts {
  found: number
  /** Including all below. */
  done: number
  known: number
  leftOut: number
  failed: number
}

export const countsOfOriginals = (now: ExportProgress): DoneCounts => ({
  ...now,
  done: now.copied + now.linked + now.known + now.failed,
  leftOut: 0,
})

export const countsOfConverted = ({
  found,
  written,
  known,
  ...now
}: ConvertedProgress): DoneCounts => {
  const [failed, leftOut] = [now.failed.count, now.leftOut.count]
  return { found, done: written + known + failed + leftOut, known, leftOut, failed }
}

export const countsOfSheet = ({ found, drawn, missing }: SheetProgress): DoneCounts => ({
  ...{ found, done: drawn, known: 0, leftOut: 0, failed: missing.count },
})

export const progressLine = (
  { found, done, known, leftOut, failed }: DoneCounts,
  seconds: number,
): string => {
  const rate = seconds > 0 ? done / seconds : 0
  return [
    `${count(done)} of ${count(found)}`,
    ...(known > 0 ? [`${count(known)} already there`] : []),
    ...(leftOut > 0 ? [`${count(leftOut)} left out`] : []),
    ...(failed > 0 ? [`${count(failed)} failed`] : []),
    ...(rate > 0 ? [`${durationText((found - done) / rate)} left`] : []),
  ].join(' · ')
}

export const summaryLines = (done: ExportProgress): string[] => [
  row('Copied', count(done.copied)),
  ...(done.linked > 0 ? [row('As links', count(done.linked))] : []),
  row('Already there', count(done.known)),
  ...failureLines(done),
]

const reasonLines = (name: string, { count: total, first }: Reasons): string[] => [
  row(name, count(total)),
  ...listed(
    first.map((one) => `${one.name}: ${one.reason}`),
    { total },
  ),
]

const ifAny = (name: string, reasons: Reasons): string[] =>
  reasons.count > 0 ? reasonLines(name, reasons) : []

export const convertedLines = (done: ConvertedProgress): string[] => [
  row('Written', count(done.written)),
  row('Already there', count(done.known)),
  ...ifAny('Keep their format', done.unconverted),
  ...ifAny('Left out', done.leftOut),
  ...reasonLines('Failed', done.failed),
]

export const sheetLines = ({ drawn, missing }: SheetProgress): string[] => [
  row('Images', count(drawn)),
  ...ifAny('Without a picture', missing),
]
