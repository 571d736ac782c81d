import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { filledLibrary, librariesFolder } from '#bench/records/fill-records.ts'
import { get, memoryOf, use } from '#bench/records/mixed-use.ts'
import { ServerProcess } from '#testing/server/server-process.ts'
import { removeFolder } from '#testing/temporary-folder.ts'
import { type Figure, median, reportFigures } from './figures.ts'

export interface MemoryBenchOptions {
  rows?: number
  /** Duration of the use in minutes. */
  minutes?: number
  /** Seconds without a request before the first and the last measurement. */
  idle?: number
  /** Folder that caches filled libraries between runs. */
  libraries?: string
}

/** Measures the memory of the server process during minutes or hours of mixed use. */
export const bench = async (options: MemoryBenchOptions = {}): Promise<Figure[]> => {
  const { rows = 1_000_000, minutes = 2, idle = 10 } = options
  const folder = await librariesFolder(options.libraries)
  const dataFolder = await filledLibrary(folder, rows, { hasFiles: true })
  const server = await ServerProcess.start({ dataFolder })
  try {
    await get(server.url, 'images/?limit=200')
    await delay(idle * 1000)
    const started = await memoryOf(server.pid, 'VmRSS')
    const samples: number[] = []
    const end = Date.now() + minutes * 60_000
    while (samples.length < 4 || Date.now() < end) {
      await use(server.url, rows, samples.length)
      samples.push(await memoryOf(server.pid, 'VmRSS'))
    }
    const peak = await memoryOf(server.pid, 'VmHWM')
    await delay(idle * 1000)
    const rested = await memoryOf(server.pid, 'VmRSS')
    const of = `${rows.toLocaleString('en')} images`
    // The first rounds fill the caches, so a leak shows in the difference between later parts.
    const quarter = (at: number) =>
      median(samples.slice((at * samples.length) / 4, ((at + 1) * samples.length) / 4))
    return [
      { name: `memory after the start, ${of}`, value: started, unit: 'MB', mark: 'under 200 MB' },
      {
        name: `memory in the last quarter of ${minutes} minutes (${samples.length} rounds), ${of}`,
        value: quarter(3),
        unit: 'MB',
        baseline: { name: 'the second quarter', value: quarter(1) },
        mark: 'under 400 MB, flat',
      },
      { name: `most memory, ${of}`, value: peak, unit: 'MB' },
      { name: `memory ${idle} s later, ${of}`, value: rested, unit: 'MB', mark: 'under 400 MB' },
    ]
  } finally {
    await server.stop()
    if (options.libraries === undefined) await removeFolder(folder)
  }
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      rows: { type: 'string' },
      minutes: { type: 'string' },
      idle: { type: 'string' },
      libraries: { type: 'string' },
    },
    strict: false,
  })
  const { rows, minutes, idle, libraries } = values
  const figures = await bench({
    ...(typeof rows === 'string' && { rows: Number(rows) }),
    ...(typeof minutes === 'string' && { minutes: Number(minutes) }),
    ...(typeof idle === 'string' && { idle: Number(idle) }),
    ...(typeof libraries === 'string' && { libraries }),
  })
  reportFigures('memory', figures)
}
