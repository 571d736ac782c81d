import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { Agent, get } from 'node:http'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pLimit from 'p-limit'
import { withBareSharp } from '#bench/bare/with-bare-sharp.ts'
import { copyOfLibrary, librariesFolder } from '#bench/records/fill-records.ts'
import type { Import } from '#contract/import.ts'
import { drawPicture } from '#demo/draw-picture.ts'
import { createServer } from '#server/app.ts'
import { setUpSharp } from '#server/processes/open-with-sharp.ts'
import { makeInvokeaiRoot } from '#testing/library/make-invokeai-root.ts'
import { startCommand } from '#testing/server/run-command.ts'
import { ServerProcess } from '#testing/server/server-process.ts'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'
import { type Figure, median, p99, reportFigures } from './figures.ts'

export interface ImportBenchOptions {
  /** Number of 1024 px PNGs for the import rate and the latency of other requests. */
  images?: number
  rounds?: number
  /** Number of small files for the memory measurement, which compares it with a thousand files. */
  files?: number
  /** Rows of the target libraries; 0 is a new one. */
  rows?: readonly number[]
  /** Folder that caches filled libraries between runs. */
  libraries?: string
}

/** Number of drawn images. The others differ from these in bytes after their end, which no decoder reads. */
const DRAWN = 20

/** Writes this many distinct files, a thousand per folder. */
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

/** Imports a folder into the library of a data folder. @returns Files per second. */
export const importInto = async (dataFolder: string, folder: string): Promise<number> => {
  const server = await createServer({ dataFolder, runsQueue: false })
  const began = performance.now()
  const { import_id } = await server.imports.start({ folder })
  const { taken_in } = await server.imports.waitForEnd(import_id)
  const rate = (taken_in * 1000) / (performance.now() - began)
  await server.close()
  return rate
}

interface RatesOptions {
  images: number
  rounds: number
  rows: readonly number[]
  libraries: string
}

/** Alternates bare sharp with imports of the same files into a library of each size. */
const rates = async ({ images, rounds, rows, libraries }: RatesOptions): Promise<Figure[]> => {
  const folder = await createTemporaryFolder()
  const paths = await writeFiles(folder, images, 1024)
  const into: { count: number; dataFolder: string; rates: number[] }[] = []
  for (const count of rows)
    into.push({ count, dataFolder: await copyOfLibrary(libraries, count), rates: [] })
  setUpSharp()
  const bare: number[] = []
  for (let round = 0; round < rounds; round++) {
    // Changes the bytes in each round. Otherwise the library would skip known files.
    for (const path of paths) await appendFile(path, `round ${round}`)
    const began = performance.now()
    await pLimit(availableParallelism() + 1).map(paths, withBareSharp)
    bare.push((images * 1000) / (performance.now() - began))
    for (const library of into) library.rates.push(await importInto(library.dataFolder, folder))
  }
  for (const { dataFolder } of into) await removeFolder(dataFolder)
  await removeFolder(folder)
  const [first] = into
  return into.map(({ count, rates }, at) => ({
    name: `import of ${images} PNGs of 1024 px into ${count.toLocaleString('en')} rows`,
    value: median(rates),
    unit: 'images/s',
    ...(at === 0 || first === undefined
      ? { baseline: { name: 'bare sharp', value: median(bare) }, mark: '0.85 x' }
      : {
          baseline: {
            name: `${first.count.toLocaleString('en')} rows`,
            value: median(first.rates),
          },
          mark: '0.9 x',
        }),
  }))
}

/** Alternates imports of the same files, with different endings, from an InvokeAI root and from a folder. */
const ratesFromInvokeai = async (images: number, rounds: number): Promise<Figure> => {
  const root = await makeInvokeaiRoot('6.14')
  const folder = await createTemporaryFolder()
  for (const path of await writeFiles(folder, images, 1024)) {
    root.addImage({ image_name: `${randomUUID()}.png` }, await readFile(path))
  }
  const rates = { root: [] as number[], folder: [] as number[] }
  const rateOf = async (from: string) => {
    const dataFolder = await createTemporaryFolder()
    const rate = await importInto(dataFolder, from)
    await removeFolder(dataFolder)
    return rate
  }
  for (let round = 0; round < rounds; round++) {
    rates.root.push(await rateOf(root.folder))
    rates.folder.push(await rateOf(folder))
  }
  await root.remove()
  await removeFolder(folder)
  return {
    name: `import of ${images} PNGs of 1024 px from an InvokeAI`,
    value: median(rates.root),
    unit: 'images/s',
    baseline: { name: 'the same from a folder', value: median(rates.folder) },
    mark: '0.9 x',
  }
}

/** Returns the peak memory of a process in kB, or 0 if it has ended. */
const peakOf = async (pid: number): Promise<number> => {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1] ?? 0)
}

const childrenOf = async (pid: number): Promise<number[]> => {
  const list = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '')
  return list.split(' ').filter(Boolean).map(Number)
}

/** Returns the peak memory of the command and its child processes in MB. */
const memoryOf = async (count: number): Promise<number> => {
  const folder = await createTemporaryFolder()
  await writeFiles(join(folder, 'from'), count, 128)
  const { child, ended } = startCommand(
    'import',
    join(folder, 'from'),
    '--data',
    join(folder, 'to'),
  )
  const peaks = new Map<number, number>()
  const { pid = 0 } = child
  const isOver = ended.then(() => true)
  while (!(await Promise.race([isOver, delay(50, false)]))) {
    for (const each of [pid, ...(await childrenOf(pid))]) {
      peaks.set(each, Math.max(peaks.get(each) ?? 0, await peakOf(each)))
    }
  }
  const peak = [...peaks.values()].reduce((sum, each) => sum + each, 0)
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

/** Returns the times of pages of a hundred images until `isOver` is true. */
const timesOfPages = async (url: string, isOver: () => Promise<boolean>): Promise<number[]> => {
  const agent = new Agent({ keepAlive: true })
  const times: number[] = []
  while (!(await isOver())) {
    for (let at = 0; at < 10; at++) {
      const began = performance.now()
      // Reads the answer without parsing it, because only the server's time counts.
      const [page] = await once(
        get(`${url}/api/v1/images/?offset=0&limit=100`, { agent }),
        'response',
      )
      await once(page.resume(), 'end')
      times.push(performance.now() - began)
      await delay(10)
    }
  }
  agent.destroy()
  return times
}

const otherRequests = async (images: number): Promise<Figure[]> => {
  const folder = await createTemporaryFolder()
  const paths = await writeFiles(folder, images, 1024)
  const server = await ServerProcess.start()
  const ask = async (method: string, path: string, body?: object): Promise<Import> => {
    const headers = { 'content-type': 'application/json' }
    const sent = body === undefined ? { method } : { method, headers, body: JSON.stringify(body) }
    return (await fetch(`${server.url}${path}`, sent)).json()
  }
  const start = () => ask('POST', '/api/v1/imports', { folder })
  const isOver = async ({ import_id }: Import) =>
    (await ask('GET', `/api/v1/imports/${import_id}`)).state === 'completed'
  const first = await start()
  await timesOfPages(server.url, () => isOver(first)) // warms the code and fills every page
  let pagesLeft = 30
  const idleTimes = await timesOfPages(server.url, async () => pagesLeft-- <= 0)
  for (const [at, path] of paths.entries()) await appendFile(path, `again ${at}`)
  const second = await start()
  const times = await timesOfPages(server.url, () => isOver(second))
  await server.close()
  await removeFolder(folder)
  return [
    {
      name: `p99 of a page while ${images} PNGs come in (${times.length} asked)`,
      value: p99(times),
      unit: 'ms',
      baseline: { name: 'without', value: p99(idleTimes) },
      mark: 'under 50 ms',
    },
  ]
}

/** Compares an import with what the cores can do, and measures its memory and the latency of other requests. */
export const bench = async ({
  images = 600,
  rounds = 3,
  files = 10_000,
  rows = [1_000, 1_000_000],
  ...options
}: ImportBenchOptions = {}): Promise<Figure[]> => {
  const libraries = await librariesFolder(options.libraries)
  const figures = [
    ...(await rates({ images, rounds, rows, libraries })),
    await ratesFromInvokeai(images, rounds),
    ...(files > 0 ? [...(await otherRequests(images)), ...(await memory(files))] : []),
  ]
  if (options.libraries === undefined) await removeFolder(libraries)
  return figures
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      images: { type: 'string' },
      rounds: { type: 'string' },
      files: { type: 'string' },
      rows: { type: 'string' },
      libraries: { type: 'string' },
    },
    strict: false,
  })
  const { images, rounds, files, rows, libraries } = values
  reportFigures(
    'import',
    await bench({
      ...(images && { images: Number(images) }),
      ...(rounds && { rounds: Number(rounds) }),
      ...(files && { files: Number(files) }),
      ...(typeof rows === 'string' && { rows: rows.split(',').map(Number) }),
      ...(typeof libraries === 'string' && { libraries }),
    }),
  )
}
