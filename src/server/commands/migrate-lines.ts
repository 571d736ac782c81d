import { formatBytes } from '#server/start/units.ts'
import type { Comparison } from '#server/storage/migrate/compare-libraries.ts'
import type { MigrationProgress, MigrationResult } from '#server/storage/migrate/migrate-library.ts'
import { count, durationText, failureLines, listed, row } from './command-line.ts'

/** Returns a function that describes the progress of a migration in one line. */
export const migrationLine = (): ((now: Readonly<MigrationProgress>) => string) => {
  const startedAt = performance.now()
  let startedWith: number | null = null
  return (now) => {
    startedWith ??= now.doneBytes
    const seconds = (performance.now() - startedAt) / 1000
    const bytesPerSecond = seconds > 0 ? (now.doneBytes - startedWith) / seconds : 0
    return [
      `${count(now.done)} of ${count(now.images)} images`,
      `${formatBytes(now.doneBytes)} of ${formatBytes(now.bytes)}`,
      ...(now.failed > 0 ? [`${count(now.failed)} failed`] : []),
      ...(bytesPerSecond > 0
        ? [
            `${formatBytes(Math.round(bytesPerSecond))}/s`,
            `${durationText((now.bytes - now.doneBytes) / bytesPerSecond)} left`,
          ]
        : []),
    ].join(' · ')
  }
}

/** @param startCommand - Starts the server on the target. */
export const migrationLines = (done: MigrationResult, startCommand: string): string[] => {
  if (done.wasThere) {
    return [
      'The library is there already. Nothing was copied. --verify compares both sides.',
      `Start it there: ${startCommand}`,
    ]
  }
  return [
    row('Images', `${count(done.images)} (${formatBytes(done.bytes)})`),
    row('Copied', count(done.done - done.there - done.failed)),
    ...(done.there > 0 ? [row('Already there', count(done.there))] : []),
    ...failureLines(done),
    '',
    done.isFinished
      ? `Start it there: ${startCommand}`
      : 'The migration is not finished. Put the failed files back and run the same command again, or add --skip-failed.',
  ]
}

export const comparisonLine = (now: Readonly<Comparison>): string =>
  [
    `${count(now.rows)} records`,
    `${count(now.images)} images (${formatBytes(now.bytes)})`,
    ...(now.differences > 0 ? [`${count(now.differences)} differences`] : []),
  ].join(' · ')

export const comparisonLines = (done: Comparison): string[] => [
  row('Records', count(done.rows)),
  row('Images', `${count(done.images)} (${formatBytes(done.bytes)} are equal)`),
  row('Differences', count(done.differences)),
  ...listed(done.texts, { total: done.differences }),
]
