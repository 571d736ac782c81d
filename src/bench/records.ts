import { parseArgs } from 'node:util'
import { comparedLists, kindFigures, kindMeasures } from '#bench/records/both-kinds.ts'
import { databaseMarks } from '#bench/records/database-marks.ts'
import { FREQUENT_WORD, librariesFolder, nameAt } from '#bench/records/fill-records.ts'
import { openEngines } from '#bench/records/record-engines.ts'
import {
  LIMIT,
  type Library,
  type LongWork,
  type Measure,
  type Measured,
  measures,
  view,
} from '#bench/records/record-measures.ts'
import type { Records } from '#server/core/record-ports.ts'
import { collect } from '#testing/collect.ts'
import { removeFolder } from '#testing/temporary-folder.ts'
import { type Figure, median, reportFigures } from './figures.ts'

export interface RecordsBenchOptions {
  /** Rows of each library. Figures are compared with the first one. */
  rows?: readonly number[]
  rounds?: number
  /** URL of a PostgreSQL server without a database, or `temporary`. It is measured next to the embedded database. */
  database?: string
  /** Size of the largest embedded library that is measured next to PostgreSQL. */
  maxEmbeddedRows?: number
  /** Folder of libraries for later runs. If absent, each run makes its own and removes them. */
  libraries?: string
  /** Runs only measurements whose names contain this text. */
  only?: string
  /** Replaces the measurements of lists. */
  measures?: readonly Measure[]
  /** Replaces the long requests of lists, next to which small ones are measured. */
  longWork?: readonly LongWork[]
}

/** Uncounted rounds that warm code and cache. */
const WARM_UP = 5

/** Measures pages, counts and searches on libraries of several sizes through the ports, including threads. */
export const bench = async (options: RecordsBenchOptions = {}): Promise<Figure[]> => {
  const { rows = [1_000, 100_000, 1_000_000], rounds = 20 } = options
  const folder = await librariesFolder(options.libraries)
  const { database, maxEmbeddedRows, only = '' } = options
  const isOfLists = options.measures === undefined
  const longWork = (options.longWork ?? longLists).filter(({ name }) => name.includes(only))
  const chosen = (options.measures ?? measures).filter(({ name }) => name.includes(only))
  const ofKinds = isOfLists ? kindMeasures.filter(({ name }) => name.includes(only)) : []
  const { libraries, withVideos, close } = await openEngines({
    rows,
    folder,
    hasVideos: ofKinds.length > 0,
    ...(database && { database }),
    ...(maxEmbeddedRows && { maxEmbeddedRows }),
  })
  try {
    const measured = []
    for (const measure of chosen) measured.push(await measureAll(measure, libraries, rounds))
    const figures = measured.flatMap(figuresOf)
    for (const lists of comparedLists(libraries, withVideos))
      for (const measure of ofKinds)
        figures.push(...kindFigures(await measureAll(measure, lists, rounds)))
    if (database !== undefined && isOfLists) return [...figures, ...databaseMarks(measured)]
    for (const engine of ['embedded', 'PostgreSQL'] as const) {
      const largest = libraries.findLast((library) => library.engine === engine)
      if (largest !== undefined) figures.push(...(await measureOtherRequests(largest, longWork)))
    }
    return figures
  } finally {
    await close()
    if (options.libraries === undefined) await removeFolder(folder)
  }
}

/** Measures all sizes in each round, so that interference affects all of them. */
const measureAll = async (
  measure: Measure,
  libraries: readonly Library[],
  rounds: number,
): Promise<Measured> => {
  const { isCold, work } = measure
  const times = libraries.map((): number[] => [])
  for (let round = -WARM_UP; round < rounds; round += 1) {
    for (const [index, library] of libraries.entries()) {
      if (isCold) await library.records.images.setStarred([nameAt(0)], round % 2 === 0)
      const spent = await timed(() => work(library))
      if (round >= 0) times[index]?.push(spent)
    }
  }
  const values = libraries.map(({ engine, rows }, index) => {
    const spent = times[index] ?? []
    return { engine, rows, value: isCold ? p95(spent) : median(spent) }
  })
  return { measure, values }
}

/** Compares each size with the smallest one in the same database. */
const figuresOf = ({ measure, values }: Measured): Figure[] =>
  values.map(({ engine, rows, value }) => {
    const same = values.filter((other) => other.engine === engine)
    const [smallest] = same
    const { name, mark, isCold } = measure
    const on = engine === 'embedded' ? '' : `, ${engine}`
    return {
      name: `${name}${isCold ? ' (p95)' : ''}${on}, ${rows.toLocaleString('en')} rows`,
      value,
      unit: 'ms',
      ...(smallest !== undefined &&
        rows !== smallest.rows && {
          baseline: { name: `${smallest.rows.toLocaleString('en')} rows`, value: smallest.value },
          ...(mark && engine === 'embedded' && rows === same.at(-1)?.rows && { mark }),
        }),
    }
  })

const p95 = (times: readonly number[]): number =>
  [...times].sort((one, other) => one - other)[Math.ceil(times.length * 0.95) - 1] ?? Number.NaN

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const start = performance.now()
  await work()
  return performance.now() - start
}

const front = { offset: 0, limit: LIMIT }

const longLists: readonly LongWork[] = [
  {
    name: 'every name is listed',
    work: async ({ records }) => collect((await records.images.names(view)).image_names.pieces),
  },
  {
    name: 'days are counted',
    // Each time zone has different days, so that no cache entry matches.
    work: ({ records }, round) =>
      records.images.days({ ...view, orderBy: 'taken_at' }, `Etc/GMT+${round}`),
  },
  {
    name: 'all metadata is searched',
    work: ({ records }, round) =>
      records.images.page({ ...view, searchTerm: `no text ${round}` }, front),
  },
  {
    name: 'a frequent word is searched',
    work: ({ records }, round) =>
      records.images.page({ ...view, query: `"${FREQUENT_WORD}" ${' '.repeat(round)}` }, front),
  },
]

/** Measures the latency of small requests during long ones, including work of the event loop. */
const measureOtherRequests = async (
  library: Library,
  longWork: readonly LongWork[],
): Promise<Figure[]> => {
  const { records, engine, rows } = library
  const on = `${engine === 'embedded' ? '' : `, ${engine}`}, ${rows.toLocaleString('en')} rows`
  const alone = await during(records, () => new Promise((resolve) => setTimeout(resolve, 250)))
  const figures: Figure[] = []
  for (const { name, work, memoryMark } of longWork) {
    const { p99, memory } = await during(records, (round) => work(library, round))
    figures.push({
      name: `p99 of a page of 50 while ${name}${on}`,
      value: p99,
      unit: 'ms',
      baseline: { name: 'with nothing else', value: alone.p99 },
      mark: 'under 25 ms',
    })
    if (memoryMark !== undefined)
      figures.push({
        name: `more memory while ${name}${on}`,
        value: memory,
        unit: 'MB',
        mark: memoryMark,
      })
  }
  return figures
}

/**
 * Returns the 99th percentile of small consecutive pages while other work runs eight times, in ms, and how much the
 * memory of this process grew meanwhile at most, in MB.
 */
const during = async (
  records: Records,
  run: (round: number) => Promise<unknown>,
): Promise<{ p99: number; memory: number }> => {
  const times: number[] = []
  const before = process.memoryUsage.rss()
  let most = before
  let isRunning = true
  const quick = async () => {
    while (isRunning) {
      times.push(await timed(() => records.images.page(view, { offset: 0, limit: 50 })))
      most = Math.max(most, process.memoryUsage.rss())
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
  }
  const others = quick()
  for (let round = 0; round < 8; round += 1) await run(round)
  isRunning = false
  await others
  times.sort((one, other) => one - other)
  const p99 = times[Math.floor(times.length * 0.99)] ?? Number.NaN
  return { p99, memory: (most - before) / 1e6 }
}

/** Reads the flags of the command line. */
export const recordsBenchOptions = (): RecordsBenchOptions => {
  const { values } = parseArgs({
    options: {
      rows: { type: 'string' },
      rounds: { type: 'string' },
      database: { type: 'string' },
      'embedded-rows': { type: 'string' },
      libraries: { type: 'string' },
      only: { type: 'string' },
    },
    strict: false,
  })
  return {
    ...(typeof values.rows === 'string' && { rows: values.rows.split(',').map(Number) }),
    ...(typeof values.rounds === 'string' && { rounds: Number(values.rounds) }),
    ...(typeof values.database === 'string' && { database: values.database }),
    ...(typeof values['embedded-rows'] === 'string' && {
      maxEmbeddedRows: Number(values['embedded-rows']),
    }),
    ...(typeof values.libraries === 'string' && { libraries: values.libraries }),
    ...(typeof values.only === 'string' && { only: values.only }),
  }
}

if (import.meta.main) reportFigures('records', await bench(recordsBenchOptions()))
