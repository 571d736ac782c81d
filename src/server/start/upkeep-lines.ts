import type { ComparisonReport } from '#server/core/upkeep/library-comparison.ts'
import type { FoundFault } from '#server/core/upkeep/library-state.ts'
import type { UpkeepReport } from '#server/core/upkeep/upkeep-service.ts'
import type { MigrationProgress } from '#server/storage/sql/library-migration.ts'

export const faultLines: Readonly<Record<FoundFault, string>> = {
  disk_error:
    'The disk reported an error. The library is read-only until a test write works, which is tried at least every 30 seconds',
  damaged:
    'The database is damaged. The library is read-only; stop the server and run `tessera doctor`',
}

/** Describes the progress of an update of an older library. */
export const migrationLine = ({ step, steps, share }: MigrationProgress): string =>
  `Updating the library for this version, step ${step} of ${steps}${share > 0 ? `: ${Math.floor(share * 100)} %` : ''}`

const named = (all: readonly string[], count: number): string =>
  count > all.length ? `${all.join(', ')}, ...` : all.join(', ')

const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`

/** Describes the repairs at the start, one per line. Empty if there were none. */
export function upkeepLines(report: UpkeepReport): string[] {
  const { temporaries, downloads, purged } = report
  const lines: CountedLine[] = [
    [
      temporaries,
      `${counted(temporaries, 'unfinished upload')} of an earlier run ${be(temporaries)} removed`,
    ],
    [downloads, `${counted(downloads, 'download')} that nobody fetched ${be(downloads)} removed`],
    ...comparisonTable(report),
    [
      Number(purged.isPutOff),
      'The clock is more than a week ahead of the last run. Nothing is deleted from the trash until tomorrow. Check the date of this machine',
    ],
    [
      purged.images + purged.boards,
      `${purgedOf(purged)} had been in the trash for too long and ${be(purged.images + purged.boards)} deleted`,
    ],
  ]
  return linesOf(lines)
}

/** Describes the result of the comparison after the start, one line per kind. */
export const comparisonLines = (report: ComparisonReport): string[] =>
  linesOf(comparisonTable(report))

type CountedLine = [count: number, line: string]

const linesOf = (lines: readonly CountedLine[]): string[] =>
  lines.flatMap(([count, line]) => (count > 0 ? [line] : []))

const be = (count: number): string => (count === 1 ? 'was' : 'were')

const comparisonTable = ({ setAside, takenBack, missing }: ComparisonReport): CountedLine[] => [
  [
    setAside.count,
    `${counted(setAside.count, 'file')} without a record ${be(setAside.count)} set aside: ${named(setAside.paths, setAside.count)}`,
  ],
  [
    takenBack,
    `${counted(takenBack, 'file')} that had been set aside ${be(takenBack)} put back in place`,
  ],
  [
    missing.count,
    `${counted(missing.count, 'image has', 'images have')} no file any more: ${named(missing.imageNames, missing.count)}`,
  ],
]

const purgedOf = ({ images, boards }: UpkeepReport['purged']): string =>
  [images > 0 && counted(images, 'image'), boards > 0 && counted(boards, 'board')]
    .filter(Boolean)
    .join(' and ')
