import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { filledLibrary, librariesFolder } from '#bench/records/fill-records.ts'
import { get, memoryOf, use } from '#bench/records/mixed-use.ts'
import { ServerProcess } from '#testing/server/server-process.ts'
import { removeFolder } from '#testing/temporary-folder.ts'
import { type Figure, median, reportFigures } from './figures.ts'

export interface ServerBenchOptions {
  /** Images in each library. Figures are compared with the first one. */
  rows?: readonly number[]
  /** Starts of each library. */
  starts?: number
  /** Rounds of mixed use. */
  rounds?: number
  /** Seconds without a request before the memory is read again. */
  idle?: number
  /** Folder of libraries for later runs. If absent, each run makes its own and removes them. */
  libraries?: string
}

const measure = async (
  dataFolder: string,
  rows: number,
  { starts, rounds, idle }: { starts: number; rounds: number; idle: number },
): Promise<Record<'start' | 'started' | 'used' | 'peak' | 'idle', number>> => {
  const times: number[] = []
  const timed = async (start: () => Promise<unknown>) => {
    const began = performance.now()
    await start()
    times.push(performance.now() - began)
  }
  const running = { server: null as ServerProcess | null }
  await timed(async () => {
    running.server = await ServerProcess.start({ dataFolder })
  })
  const { server } = running
  if (server === null) throw new Error('The server did not start.')
  try {
    for (let count = 1; count < starts; count += 1) {
      await server.stop()
      await timed(() => server.startAgain())
    }
    await get(server.url, 'images/?limit=200')
    await delay(idle * 1000)
    const started = await memoryOf(server.pid, 'VmRSS')
    for (let round = 0; round < rounds; round += 1) {
      await use(server.url, rows, round)
      if (process.env.DEBUG) console.log(round, await memoryOf(server.pid, 'VmRSS'))
    }
    const used = await memoryOf(server.pid, 'VmRSS')
    const peak = await memoryOf(server.pid, 'VmHWM')
    await delay(idle * 1000)
    return { start: median(times), started, used, peak, idle: await memoryOf(server.pid, 'VmRSS') }
  } finally {
    await server.stop()
  }
}

/** Measures the startup time, and the memory of the server process after the start, after use, and idle. */
export const bench = async ({
  rows = [1_000, 1_000_000],
  starts = 3,
  rounds = 3,
  idle = 10,
  libraries,
}: ServerBenchOptions = {}): Promise<Figure[]> => {
  const folder = await librariesFolder(libraries)
  try {
    const results = []
    for (const count of rows) {
      const dataFolder = await filledLibrary(folder, count, { hasFiles: true })
      results.push({ count, ...(await measure(dataFolder, count, { starts, rounds, idle })) })
    }
    const [first] = results
    return results.flatMap((result, at): Figure[] => {
      const figure = (key: keyof typeof result, name: string, unit: 'ms' | 'MB', mark: string) => ({
        name: `${name}, ${result.count.toLocaleString('en')} images`,
        value: result[key],
        unit,
        mark,
        ...(at > 0 &&
          first !== undefined && {
            baseline: { name: `${first.count.toLocaleString('en')} images`, value: first[key] },
          }),
      })
      return [
        figure('start', 'start', 'ms', 'under 1,500 ms'),
        figure('started', 'memory after the start', 'MB', 'under 200 MB'),
        figure('used', 'memory after use', 'MB', 'under 400 MB'),
        figure('peak', 'most memory', 'MB', ''),
        figure('idle', `memory ${idle} s later`, 'MB', 'under 400 MB'),
      ]
    })
  } finally {
    if (libraries === undefined) await removeFolder(folder)
  }
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      rows: { type: 'string' },
      starts: { type: 'string' },
      rounds: { type: 'string' },
      idle: { type: 'string' },
      libraries: { type: 'string' },
    },
    strict: false,
  })
  const numberOf = (value: unknown) => (typeof value === 'string' ? Number(value) : undefined)
  const { starts, rounds, idle } = values
  const figures = await bench({
    ...(typeof values.rows === 'string' && { rows: values.rows.split(',').map(Number) }),
    ...(starts !== undefined && { starts: numberOf(starts) ?? 3 }),
    ...(rounds !== undefined && { rounds: numberOf(rounds) ?? 3 }),
    ...(idle !== undefined && { idle: numberOf(idle) ?? 10 }),
    ...(typeof values.libraries === 'string' && { libraries: values.libraries }),
  })
  reportFigures('server', figures)
}
