import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pLimit from 'p-limit'
import { connect } from '#client/index.ts'
import type { Import } from '#contract/import.ts'
import { drawPicture } from '#demo/draw-picture.ts'
import { createServer } from '#server/app.ts'
import { startCommand } from '#testing/run-command.ts'
import { ServerProcess } from '#testing/server-process.ts'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'
import { type Figure, median, reportFigures } from './figures.ts'
import { withBareSharp } from './with-bare-sharp.ts'

export interface ImportBenchOptions {
  /** PNGs of 1024 px for the rate, and for the time of other requests. */
  images?: number
  rounds?: number
  /** Small files for the memory: this many, and a thousand. */
  files?: number
}

/** Pictures drawn; the rest differ from these in bytes behind their end, which no decoder reads. */
const DRAWN = 20

/** Writes so many files of different bytes, a thousand a folder. */
const writeFiles = async (folder: string, count: number, sizePx: number): Promise<string[]> => {
  const drawn = await Promise.all(
    Array.from({ length: Math.min(count, DRAWN) }, (_, seed) =>
      drawPicture({ seed, kind: 'invokeai', widthPx: sizePx, heightPx: sizePx }),
    ),
  )
  const paths = Array.from({ length: count }, (_, at) =>
    join(folder, `part ${Math.floor(at / 1000)}`, `${String(at).padStart(7, '0')}.png`),
  )
  for (let at = 0; at < count; at += 1000) {
    await mkdir(join(folder, `part ${at / 1000}`), { recursive: true })
  }
  await pLimit(8).map([...paths.entries()], ([at, path]) =>
    writeFile(
      path,
      Buffer.concat([drawn[at % DRAWN]?.bytes ?? Buffer.alloc(0), Buffer.from(`${at}`)]),
    ),
  )
  return paths
}

/** Images a second. */
const importHere = async (folder: string): Promise<number> => {
  const dataFolder = await createTemporaryFolder()
  const server = await createServer({ dataFolder, runsQueue: false })
  const began = performance.now()
  const { import_id } = await server.imports.start({ folder })
  const { taken_in } = await server.imports.ended(import_id)
  const rate = (taken_in * 1000) / (performance.now() - began)
  await server.close()
  await removeFolder(dataFolder)
  return rate
}

const rates = async (images: number, rounds: number): Promise<Figure[]> => {
  const folder = await createTemporaryFolder()
  const paths = await writeFiles(folder, images, 1024)
  const measured = { bare: [] as number[], ours: [] as number[] }
  for (let round = 0; round < rounds; round++) {
    const began = performance.now()
    await pLimit(availableParallelism() + 1).map(paths, withBareSharp)
    measured.bare.push((images * 1000) / (performance.now() - began))
    measured.ours.push(await importHere(folder))
  }
  await removeFolder(folder)
  return [
    {
      name: `import of ${images} PNGs of 1024 px`,
      value: median(measured.ours),
      unit: 'images/s',
      baseline: { name: 'bare sharp', value: median(measured.bare) },
      mark: '0.85 x',
    },
  ]
}

/** The most memory that the command ever had, in MB. */
const memoryOf = async (count: number): Promise<number> => {
  const folder = await createTemporaryFolder()
  await writeFiles(join(folder, 'from'), count, 128)
  const { child, ended } = startCommand(
    'import',
    join(folder, 'from'),
    '--data',
    join(folder, 'to'),
  )
  let peak = 0
  const isOver = ended.then(() => true)
  while (!(await Promise.race([isOver, delay(50, false)]))) {
    const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '')
    peak = Math.max(peak, Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1] ?? 0))
  }
  await removeFolder(folder)
  return (peak * 1024) / 1e6
}

const memory = async (files: number): Promise<Figure[]> => {
  const few = await memoryOf(1000)
  const many = files === 1000 ? few : await memoryOf(files)
  return [
    {
      name: `memory, ${files.toLocaleString('en')} files`,
      value: many,
      unit: 'MB',
      baseline: { name: '1,000 files', value: few },
      mark: 'flat',
    },
  ]
}

const p99 = (times: readonly number[]): number =>
  [...times].sort((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? Number.NaN

/** The times of pages of a listing while `isOver` has not come. */
const timesOfPages = async (url: string, isOver: () => Promise<boolean>): Promise<number[]> => {
  const { images } = connect({ baseUrl: url })
  const times: number[] = []
  while (!(await isOver())) {
    for (let at = 0; at < 10; at++) {
      const began = performance.now()
      await images.page({}, { offset: 0, limit: 100 })
      times.push(performance.now() - began)
      await delay(10)
    }
  }
  return times
}

const otherRequests = async (images: number): Promise<Figure[]> => {
  const folder = await createTemporaryFolder()
  await writeFiles(folder, images, 1024)
  const server = await ServerProcess.start()
  const ask = async (method: string, path: string, body?: object): Promise<Import> => {
    const headers = { 'content-type': 'application/json' }
    const sent = body === undefined ? { method } : { method, headers, body: JSON.stringify(body) }
    return (await fetch(`${server.url}${path}`, sent)).json()
  }
  // Threads that read start when several ask at once; that is not what is measured.
  const { images: pages } = connect({ baseUrl: server.url })
  await Promise.all(Array.from({ length: 8 }, () => pages.page({}, { offset: 0, limit: 1 })))
  let calm = 30
  const calmTimes = await timesOfPages(server.url, async () => calm-- <= 0)
  const { import_id } = await ask('POST', '/api/v1/imports', { folder })
  const times = await timesOfPages(
    server.url,
    async () => (await ask('GET', `/api/v1/imports/${import_id}`)).state === 'completed',
  )
  await server.close()
  await removeFolder(folder)
  return [
    {
      name: `p99 of a page while ${images} PNGs come in (${times.length} asked)`,
      value: p99(times),
      unit: 'ms',
      baseline: { name: 'without', value: p99(calmTimes) },
      mark: 'under 50 ms',
    },
  ]
}

/** An import beside what the cores can do, its memory, and what other requests notice. */
export const bench = async ({
  images = 200,
  rounds = 3,
  files = 10_000,
}: ImportBenchOptions = {}): Promise<Figure[]> => [
  ...(await rates(images, rounds)),
  ...(await otherRequests(images)),
  ...(files > 0 ? await memory(files) : []),
]

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      images: { type: 'string' },
      rounds: { type: 'string' },
      files: { type: 'string' },
    },
    strict: false,
  })
  const { images, rounds, files } = values
  reportFigures(
    'import',
    await bench({
      ...(images && { images: Number(images) }),
      ...(rounds && { rounds: Number(rounds) }),
      ...(files && { files: Number(files) }),
    }),
  )
}
