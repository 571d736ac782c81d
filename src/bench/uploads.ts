import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pLimit from 'p-limit'
import { copyOfLibrary, librariesFolder } from '#bench/records/fill-records.ts'
import { pathOf } from '#contract/operation.ts'
import { uploadImage } from '#contract/uploads/upload-operations.ts'
import { drawPicture } from '#demo/draw-picture.ts'
import { ServerProcess } from '#testing/server/server-process.ts'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'
import { startBareServer } from './bare/start-bare-server.ts'
import { type Figure, median, reportFigures } from './figures.ts'

const MB = 1e6
const BOUNDARY = 'tessera-bench'
const CONNECTIONS = 16
/** Units of CPU time in /proc per second. */
const CLOCK_TICKS = 100

export interface UploadsBenchOptions {
  /** Small uploads over sixteen connections. */
  uploads?: number
  rounds?: number
  /** Images in the target libraries; 0 is a new one. */
  rows?: readonly number[]
  /** Folder that caches filled libraries between runs. */
  libraries?: string
}

/** Returns the bytes of a form with one file. */
const formOf = (bytes: Uint8Array): Buffer =>
  Buffer.concat([
    Buffer.from(
      `--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\ncontent-type: image/png\r\n\r\n`,
    ),
    bytes,
    Buffer.from(`\r\n--${BOUNDARY}--\r\n`),
  ])

const send = async (agent: Agent, url: string, form: Buffer): Promise<void> => {
  const sending = request(url, {
    method: 'POST',
    agent,
    headers: {
      'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
      'content-length': form.length,
    },
  })
  sending.end(form)
  const [response] = await once(sending, 'response')
  response.resume()
  await once(response, 'end')
  if (response.statusCode !== 201) throw new Error(`${url} answered ${response.statusCode}`)
}

/** Sends each form, this many in parallel. @returns MB per second. */
const sendAll = async (url: string, forms: readonly Buffer[], atOnce: number): Promise<number> => {
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce })
  const began = performance.now()
  await pLimit(atOnce).map(forms, (form) => send(agent, url, form))
  const seconds = (performance.now() - began) / 1000
  agent.destroy()
  return forms.reduce((sum, form) => sum + form.length, 0) / MB / seconds
}

/** Returns the peak memory of a process in MB, or null if the system does not report it. */
const peakMemory = async (pid: number | undefined): Promise<number | null> => {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB/m.exec(status) ?? []
  return kilobytes === undefined ? null : (Number(kilobytes) * 1024) / MB
}

/** The server compares files after a start, and checks the database ten seconds later. */
const BUSY_AFTER_START_MS = 12_000

/** Waits for the startup work of a server to end, when it uses less than a tenth of a core for two seconds. */
const untilIdle = async (pid: number | undefined): Promise<void> => {
  const seconds = async () => {
    const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(' ')
    return (Number(fields[13]) + Number(fields[14])) / CLOCK_TICKS
  }
  await delay(BUSY_AFTER_START_MS)
  for (let before = await seconds(), spent = 1; spent > 0.2; ) {
    await delay(2000)
    const now = await seconds()
    spent = now - before
    before = now
  }
}

const uploadTo = ({ url }: { url: string }) =>
  `${url}${pathOf(uploadImage)}?image_category=user&is_intermediate=false`

/** Draws a small image with 100 MB after its end, which no decoder reads, to measure the path to the disk. */
const drawLarge = async (): Promise<Buffer> => {
  const { bytes } = await drawPicture({ seed: 1, kind: 'invokeai', widthPx: 64, heightPx: 64 })
  return Buffer.concat([bytes, Buffer.alloc(100 * MB)])
}

/** Compares uploads to the real server with uploads to a minimal one. Each server runs in its own process. */
export const bench = async (options: UploadsBenchOptions = {}): Promise<Figure[]> => {
  const { uploads = 2000, rounds = 3, rows = [1_000, 1_000_000] } = options
  const folder = await createTemporaryFolder()
  const libraries = await librariesFolder(options.libraries)
  const bare = await startBareServer(folder)
  try {
    const many = await manyFiles(bare.url, { uploads, rounds, rows, libraries })
    const large = await largeFiles(`${bare.url}/stream`)
    return [...large, ...(await smallRequests(bare.url, uploads)), ...many]
  } finally {
    bare.stop()
    await removeFolder(folder)
    if (options.libraries === undefined) await removeFolder(libraries)
  }
}

const largeFiles = async (bareUrl: string): Promise<Figure[]> => {
  const server = await ServerProcess.start()
  const form = formOf(await drawLarge())
  const ten = Array<Buffer>(10).fill(form)
  const bareRate = await sendAll(bareUrl, ten, 10)
  const rate = await sendAll(uploadTo(server), ten, 10)
  const memory = await peakMemory(server.pid)
  await server.close()
  return [
    {
      name: 'ten files of 100 MB at once',
      value: rate,
      unit: 'MB/s',
      baseline: { name: 'bare stream to file', value: bareRate },
    },
    ...(memory === null
      ? []
      : [{ name: 'memory, ten files of 100 MB', value: memory, unit: 'MB' as const }]),
  ]
}

const UPLOADS_AT_ONCE = 4

/**
 * Measures the latency of a small request during four parallel uploads of 1024 px PNGs, and the same for the
 * bare server.
 */
const smallRequests = async (bareUrl: string, uploads: number): Promise<Figure[]> => {
  const { bytes } = await drawPicture({ seed: 1, kind: 'invokeai', widthPx: 1024, heightPx: 1024 })
  const forms = Array<Buffer>(Math.ceil(uploads / 10)).fill(formOf(bytes))
  const server = await ServerProcess.start()
  const boards = `${server.url}/api/v1/boards/?all=true`
  const p99Beside = async (small: string, upload: string) => {
    const times: number[] = []
    let isOver = false
    const ask = async () => {
      while (!isOver) {
        const began = performance.now()
        await (await fetch(small)).arrayBuffer()
        times.push(performance.now() - began)
        await delay(2)
      }
    }
    const asking = ask()
    await sendAll(upload, forms, UPLOADS_AT_ONCE)
    isOver = true
    await asking
    return times.sort((one, other) => one - other)[Math.floor(times.length * 0.99)] ?? Number.NaN
  }
  try {
    await p99Beside(boards, uploadTo(server)) // loads the code
    const bare = await p99Beside(`${bareUrl}/small`, `${bareUrl}/keep`)
    const value = await p99Beside(boards, uploadTo(server))
    return [
      {
        name: `p99 of a small request while ${UPLOADS_AT_ONCE} files are uploaded at a time`,
        value,
        unit: 'ms',
        baseline: { name: 'bare server that flushes and decodes', value: bare },
        mark: 'under 25 ms',
      },
    ]
  } finally {
    await server.close()
  }
}

/** Alternates a bare server that receives, flushes and decodes with the real one and a library of each size. */
const manyFiles = async (
  bareUrl: string,
  { uploads, rounds, rows, libraries }: Required<UploadsBenchOptions>,
): Promise<Figure[]> => {
  const pictures = await Promise.all(
    Array.from({ length: 20 }, (_, seed) =>
      drawPicture({ seed, kind: 'invokeai', widthPx: 512, heightPx: 512 }),
    ),
  )
  const forms = Array.from({ length: uploads }, (_, index) =>
    formOf(pictures[index % pictures.length]?.bytes ?? Buffer.alloc(0)),
  )
  const perSecond = async (url: string): Promise<number> => {
    const began = performance.now()
    await sendAll(url, forms, CONNECTIONS)
    return (uploads * 1000) / (performance.now() - began)
  }

  const bare: number[] = []
  const into: { count: number; server: ServerProcess; rates: number[] }[] = []
  for (const count of rows) {
    const dataFolder = await copyOfLibrary(libraries, count)
    into.push({ count, server: await ServerProcess.start({ dataFolder }), rates: [] })
  }
  for (const { server } of into) await untilIdle(server.pid)
  for (let round = 0; round < rounds; round++) {
    bare.push(await perSecond(`${bareUrl}/keep`))
    for (const { server, rates } of into) rates.push(await perSecond(uploadTo(server)))
  }
  const [memory] = await Promise.all(into.map(({ server }) => peakMemory(server.pid)))
  for (const { server } of into) {
    await server.stop()
    await removeFolder(server.dataFolder)
  }
  return into.flatMap(({ count, rates }, at): Figure[] => {
    const name = `${uploads} PNGs of 512 px, ${CONNECTIONS} connections, into ${count.toLocaleString('en')} images`
    return [
      {
        name,
        value: median(rates),
        unit: 'images/s',
        baseline: { name: 'bare server that flushes and decodes', value: median(bare) },
        mark: '0.85 x',
      },
      // `server` measures the memory of large libraries.
      ...(at === 0 && typeof memory === 'number'
        ? [{ name: `memory, ${name}`, value: memory, unit: 'MB' as const, mark: 'under 400 MB' }]
        : []),
    ]
  })
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      uploads: { type: 'string' },
      rounds: { type: 'string' },
      rows: { type: 'string' },
      libraries: { type: 'string' },
    },
    strict: false,
  })
  const figures = await bench({
    ...(typeof values.uploads === 'string' && { uploads: Number(values.uploads) }),
    ...(typeof values.rounds === 'string' && { rounds: Number(values.rounds) }),
    ...(typeof values.rows === 'string' && { rows: values.rows.split(',').map(Number) }),
    ...(typeof values.libraries === 'string' && { libraries: values.libraries }),
  })
  reportFigures('uploads', figures)
}
