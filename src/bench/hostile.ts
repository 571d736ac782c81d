import { existsSync } from 'node:fs'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'
import type { LoopReading } from '#bench/hostile/loop-probe.ts'
import { timesDuring } from '#bench/hostile/times-during.ts'
import type { ImageRecord } from '#contract/image.ts'
import { addPngText } from '#demo/png-text.ts'
import { fileOfSize } from '#testing/library/file-of-size.ts'
import { hostileClips } from '#testing/library/hostile-clips.ts'
import { ServerProcess } from '#testing/server/server-process.ts'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'
import { type Figure, p99, reportFigures } from './figures.ts'

const MB = 1e6
const MARK = 'under 50 ms'

/** A server with a monitored event loop. */
class ProbedServer {
  readonly #file: string
  readonly #server: ServerProcess

  private constructor(server: ServerProcess, file: string) {
    this.#server = server
    this.#file = file
  }

  static async start(folder: string): Promise<ProbedServer> {
    const file = join(folder, 'loop.json')
    process.env.LOOP_PROBE = file
    const preload = new URL('./hostile/loop-probe.ts', import.meta.url)
    return new ProbedServer(await ServerProcess.start({ preload }), file)
  }

  close = () => this.#server.close()

  /** Returns the event loop measurements since the last call. */
  async #read(): Promise<LoopReading> {
    await rm(this.#file, { force: true })
    process.kill(this.#server.pid ?? 0, 'SIGUSR2')
    for (;;) {
      await delay(5)
      if (!existsSync(this.#file)) continue
      const text = await readFile(this.#file, 'utf8')
      if (text !== '') return JSON.parse(text)
    }
  }

  /** Runs some work. Returns how long other requests took meanwhile, in milliseconds. */
  timesDuring = (work: () => Promise<unknown>) =>
    timesDuring(`${this.#server.url}/api/v1/app/version`, work)

  /** Runs some work and measures how long it blocked the event loop and how long other requests took meanwhile. */
  async measure(name: string, work: () => Promise<unknown>): Promise<Figure[]> {
    const times = await this.timesDuring(async () => {
      await this.#read()
      await work()
    })
    const slowest = Math.max(...times)
    const { longestTurnMs } = await this.#read()
    return [
      { name: `event loop held, ${name}`, value: longestTurnMs, unit: 'ms', mark: 'under 33 ms' },
      { name: `slowest other request, ${name}`, value: slowest, unit: 'ms', mark: MARK },
    ]
  }

  async upload(bytes: Uint8Array<ArrayBuffer>): Promise<ImageRecord> {
    const form = new FormData()
    form.set('file', new Blob([bytes], { type: 'image/png' }), 'hostile.png')
    const path = 'images/upload?image_category=user&is_intermediate=false'
    const response = await fetch(`${this.#server.url}/api/v1/${path}`, {
      method: 'POST',
      body: form,
    })
    if (response.status !== 201) throw new Error(`The upload got ${response.status}.`)
    return (await response.json()) as ImageRecord
  }

  /** @returns The status of the answer. */
  async uploadVideo(bytes: Uint8Array<ArrayBuffer>): Promise<number> {
    const form = new FormData()
    form.set('file', new Blob([bytes]), 'hostile.mp4')
    const path = 'videos/upload?video_category=user&is_intermediate=false'
    const response = await fetch(`${this.#server.url}/api/v1/${path}`, {
      method: 'POST',
      body: form,
    })
    await response.text()
    return response.status
  }

  /** Reads an answer and discards it. @returns The number of bytes. */
  async get(path: string, body?: unknown): Promise<number> {
    const response = await fetch(`${this.#server.url}/api/v1/${path}`, {
      ...(body !== undefined && {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    })
    if (!response.ok) throw new Error(`${path} got ${response.status}: ${await response.text()}`)
    let bytes = 0
    for await (const chunk of response.body ?? []) bytes += chunk.length
    return bytes
  }

  /** Resident memory in MB: the current or the peak value. */
  memory = (field: 'VmRSS' | 'VmHWM'): Promise<number> => memoryOf(this.#server.pid, field)

  /** Returns the peak memory of a decoder process during some work, in MB. */
  async decoderMemory(work: () => Promise<unknown>): Promise<number> {
    // Resets the peak of decoder processes that are left from earlier work.
    for (const pid of await this.#decoders()) await writeFile(`/proc/${pid}/clear_refs`, '5')
    let [most, isOver] = [0, false]
    const watching = (async () => {
      while (!isOver) {
        for (const pid of await this.#decoders()) {
          const peak = await memoryOf(pid, 'VmHWM').catch(() => 0)
          if (peak > most) most = peak
        }
        await delay(2)
      }
    })()
    try {
      await work()
    } finally {
      isOver = true
      await watching
    }
    return most
  }

  async #decoders(): Promise<string[]> {
    const tasks = `/proc/${this.#server.pid}/task`
    const lists = (await readdir(tasks)).map((task) =>
      readFile(`${tasks}/${task}/children`, 'utf8').catch(() => ''),
    )
    const pids = (await Promise.all(lists)).flatMap((list) => list.split(' ').filter(Boolean))
    const commands = pids.map(async (pid) => {
      const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
      return command.includes('intake-child') ? [pid] : []
    })
    return (await Promise.all(commands)).flat()
  }
}

const memoryOf = async (pid: number | string | undefined, field: 'VmRSS' | 'VmHWM') => {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  const [, kilobytes] = new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status) ?? []
  return (Number(kilobytes ?? 0) * 1024) / MB
}

const square = (size: number, channels: 3 | 4 = 3) =>
  sharp({
    create: { width: size, height: size, channels, background: '#c04020' },
    limitInputPixels: false,
  })

/** Squares with the maximum number of accepted pixels, by format, and a refused one. */
const vastFiles: Record<string, () => Promise<Buffer>> = {
  'AVIF of 22 megapixels': () => square(4700).avif({ effort: 0 }).toBuffer(),
  'GIF of 77 megapixels': () => square(8800).gif({ effort: 1 }).toBuffer(),
  'progressive JPEG of 123 megapixels': () => square(11_100).jpeg({ progressive: true }).toBuffer(),
  'JPEG of 196 megapixels': () => square(14_000).jpeg().toBuffer(),
  'interlaced PNG of 114 megapixels': () =>
    square(10_700).png({ compressionLevel: 1, progressive: true }).toBuffer(),
  'PNG of 196 megapixels, RGBA of 16 bits': () =>
    square(14_000, 4).toColourspace('rgb16').png({ compressionLevel: 1 }).toBuffer(),
  'TIFF of 196 megapixels': () => square(14_000).tiff({ compression: 'deflate' }).toBuffer(),
  'BMP of 135 megapixels of 1 bit': () => fileOfSize('BMP of 1 bit', 11_600),
  'lossless WebP of 96 megapixels in 28 bytes': () => fileOfSize('lossless WebP', 9800),
  'lossless WebP of 196 megapixels, refused': () => fileOfSize('lossless WebP', 14_000),
}

/**
 * Measures the peak memory of the decoder for the largest accepted file of each format, with its largest
 * thumbnail.
 */
const vastFigures = async (server: ProbedServer): Promise<Figure[]> => {
  const figures: Figure[] = []
  for (const [name, draw] of Object.entries(vastFiles)) {
    const bytes = new Uint8Array(await draw())
    const most = await server.decoderMemory(async () => {
      const image = await server.upload(bytes).catch((error: unknown) => {
        if (!name.endsWith('refused')) throw error
      })
      if (image) await server.get(`images/i/${image.image_name}/thumbnail?size=1536`)
    })
    figures.push({
      name: `decoder's memory, ${name}`,
      value: most,
      unit: 'MB',
      mark: 'under 600 MB',
    })
  }
  return figures
}

const plainPng = (): Promise<Buffer> =>
  sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
    .png()
    .toBuffer()

const HEADER_BYTES = 33

/** Adds a compressed text chunk, as in a PNG of 262 bytes that once blocked the server for half a minute. */
const ztxt = (png: Buffer, keyword: string, text: string): Buffer => {
  const data = Buffer.concat([Buffer.from(`${keyword}\0\0`), deflateSync(text)])
  const body = Buffer.concat([Buffer.from('zTXt'), data])
  const frame = Buffer.alloc(body.length + 8)
  frame.writeUInt32BE(data.length, 0)
  body.copy(frame, 4)
  frame.writeUInt32BE(crc32(body), body.length + 4)
  return Buffer.concat([png.subarray(0, HEADER_BYTES), frame, png.subarray(HEADER_BYTES)])
}

const comfyui = (nodes: number): string =>
  JSON.stringify(
    Object.fromEntries(
      Array.from({ length: nodes }, (_, id) => [
        id,
        { class_type: 'A', inputs: { a: [`${id}`, 0] } },
      ]),
    ),
  )

/** Returns files with hostile metadata by the kind of attack. */
const hostileFiles = async (): Promise<Record<string, Buffer>> => {
  const png = await plainPng()
  return {
    '150,000 line breaks in 262 bytes': ztxt(png, 'parameters', `x${'\n'.repeat(150_000)}`),
    '1,000,000 blanks': addPngText(png, {
      parameters: ' '.repeat(500_000) + '\n'.repeat(500_000),
    }),
    'a ComfyUI graph of 35,000 nodes': addPngText(png, { prompt: comfyui(35_000) }),
    'a ComfyUI graph of 100,000 nodes': addPngText(png, { prompt: comfyui(100_000) }),
    'JSON nested 500,000 deep': addPngText(png, {
      prompt: `{"a":${'['.repeat(500_000)}${']'.repeat(500_000)}}`,
    }),
    'InvokeAI metadata of 2 MB': addPngText(png, {
      invokeai_metadata: JSON.stringify({ positive_prompt: 'a cat', notes: '"'.repeat(900_000) }),
    }),
    '4,000,000 control characters': addPngText(png, { parameters: '\u0001'.repeat(4_000_000) }),
  }
}

/** Time without uploads for the baseline, in milliseconds. */
const IDLE_MS = 5_000

/** Measures how long each hostile video is kept or refused, and the memory of the decoder meanwhile. */
const videoFigures = async (server: ProbedServer): Promise<Figure[]> => {
  const figures: Figure[] = []
  const others: number[] = []
  const idle = await server.timesDuring(() => delay(IDLE_MS))
  for (const [name, draw] of Object.entries(hostileClips)) {
    const bytes = new Uint8Array(await draw())
    let [ms, status] = [0, 0]
    const upload = async () => {
      const began = performance.now()
      status = await server.uploadVideo(bytes)
      ms = performance.now() - began
    }
    const most = await server.decoderMemory(async () => {
      others.push(...(await server.timesDuring(upload)))
    })
    if (status !== 201 && status !== 415) throw new Error(`The video “${name}” got ${status}.`)
    const outcome = status === 201 ? 'kept' : 'refused'
    figures.push(
      { name: `${name}: ${outcome}`, value: ms, unit: 'ms', mark: 'under 20000 ms' },
      { name: `decoder's memory, ${name}`, value: most, unit: 'MB', mark: 'under 600 MB' },
    )
  }
  figures.push({
    name: `p99 of small requests while hostile videos are read (${others.length} asked)`,
    value: p99(others),
    unit: 'ms',
    baseline: { name: 'without', value: p99(idle) },
    mark: 'under 100 ms',
  })
  return figures
}

const LARGE = 50 * MB

/** @param only - `videos` measures only videos. */
export const bench = async (only?: string): Promise<Figure[]> => {
  const folder = await createTemporaryFolder()
  const server = await ProbedServer.start(folder)
  try {
    const large = Buffer.concat([await plainPng(), Buffer.alloc(LARGE)])
    await server.upload(large)
    const figures = await videoFigures(server)
    if (only === 'videos') return figures
    figures.push(...(await vastFigures(server)))
    const fourUploads = () => Promise.all(Array.from({ length: 4 }, () => server.upload(large)))
    figures.push(...(await server.measure('four uploads of 50 MB', fourUploads)))
    for (const [name, bytes] of Object.entries(await hostileFiles())) {
      let image: ImageRecord | null = null
      figures.push(
        ...(await server.measure(`upload of ${name}`, async () => {
          image = await server.upload(Buffer.from(bytes))
        })),
      )
      const { image_name } = image as unknown as ImageRecord
      const path = `images/i/${image_name}`
      figures.push(
        ...(await server.measure(`reading ${name}`, async () => {
          await server.get(`${path}/metadata`)
          await server.get(`${path}/metadata?form=normal`)
          await server.get(`${path}/workflow`)
          await server.get('images/metadata_by_names', { image_names: [image_name] })
        })),
      )
      const before = await server.memory('VmRSS')
      await Promise.all(
        Array.from({ length: 10 }, () => server.get(`${path}/metadata?form=normal`)),
      )
      figures.push({
        name: `memory of ten readers at once, ${name}`,
        value: (await server.memory('VmHWM')) - before,
        unit: 'MB',
      })
    }
    return figures
  } finally {
    await server.close()
    await removeFolder(folder)
  }
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { only: { type: 'string' } }, strict: false })
  const { only } = values
  reportFigures('hostile', await bench(typeof only === 'string' ? only : undefined))
}
