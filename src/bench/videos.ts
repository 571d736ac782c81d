import { openAsBlob } from 'node:fs'
import { appendFile, readFile, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Browser, chromium } from '@playwright/test'
import pLimit from 'p-limit'
import { findOrInstallChromium } from '#build/browsers.ts'
import { buildPage } from '#build/build-page.ts'
import { connect } from '#client/connect.ts'
import { openCodecProcesses } from '#server/storage/intake/open-file-intake.ts'
import { drawClip } from '#testing/library/draw-clip.ts'
import { ServerProcess } from '#testing/server/server-process.ts'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'
import { startBareServer } from './bare/start-bare-server.ts'
import { type Figure, median, reportFigures } from './figures.ts'
import { drawFilm } from './videos/draw-film.ts'
import { flingFigures } from './videos/flings.ts'
import { importFigures } from './videos/import-clips.ts'
import { requestFigures } from './videos/other-requests.ts'
import { viewerFigures } from './videos/viewer.ts'

const MB = 1e6
const CLIP_BYTES = 500 * MB
const RANGE_BYTES = 256 * 1024
const RANGES_AT_ONCE = 32

export interface VideosBenchOptions {
  rounds?: number
  /** Range requests of each round. */
  ranges?: number
  /** Clips of the import. */
  clips?: number
  /** Only this part. */
  only?: string
}

/** Writes a clip that a box without content makes this large. Players skip it. */
const writeLargeClip = async (path: string): Promise<void> => {
  const clip = await drawClip()
  const head = Buffer.alloc(8)
  head.writeUInt32BE(CLIP_BYTES - clip.length)
  head.write('free', 4)
  await writeFile(path, clip)
  await appendFile(path, head)
  await truncate(path, CLIP_BYTES)
}

/** Returns a value of `/proc/<pid>/status` in MB. */
const memoryOf = async (pid: number | undefined, key: 'VmRSS' | 'VmHWM'): Promise<number> => {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  const [, kilobytes] = new RegExp(`^${key}:\\s+(\\d+) kB`, 'm').exec(status) ?? []
  return (Number(kilobytes) * 1024) / MB
}

const secondsOf = async (work: () => Promise<unknown>): Promise<number> => {
  const began = performance.now()
  await work()
  return (performance.now() - began) / 1000
}

const PARTS = ['server', 'import', 'requests', 'viewer', 'flings'] as const

/**
 * Compares videos in the real server with minimal servers, which run in processes of their own, and videos in the page with
 * bare pages and with images.
 */
export const bench = async (options: VideosBenchOptions = {}): Promise<Figure[]> => {
  const { rounds = 5, ranges = 2_000, clips = 200, only } = options
  const isWanted = (part: (typeof PARTS)[number]) => only === undefined || only === part
  const figures: Figure[] = []
  if (isWanted('server')) figures.push(...(await serverFigures(rounds, ranges)))
  if (isWanted('import') || isWanted('requests') || isWanted('viewer')) {
    const film = await drawFilm(1)
    if (isWanted('import')) figures.push(...(await importFigures(film, { clips, rounds })))
    if (isWanted('requests')) figures.push(...(await requestFigures(film, { rounds })))
    if (isWanted('viewer'))
      figures.push(...(await inBrowser((browser) => viewerFigures(browser, film, { rounds }))))
  }
  if (isWanted('flings'))
    figures.push(...(await inBrowser((browser) => flingFigures(browser, { rounds }))))
  return figures
}

const inBrowser = async (measure: (browser: Browser) => Promise<Figure[]>): Promise<Figure[]> => {
  await buildPage()
  const browser = await chromium.launch({
    executablePath: findOrInstallChromium('whole').path,
    args: ['--no-sandbox', '--window-size=1440,900', '--autoplay-policy=no-user-gesture-required'],
  })
  try {
    return await measure(browser)
  } finally {
    await browser.close()
  }
}

const serverFigures = async (rounds: number, ranges: number): Promise<Figure[]> => {
  const folder = await createTemporaryFolder()
  const bare = await startBareServer(folder)
  const server = await ServerProcess.start()
  try {
    const path = join(folder, 'large.mp4')
    await writeLargeClip(path)
    return [
      ...(await uploads(server, bare.url, { path, rounds })),
      ...(await rangeRequests(server, bare.url, { path, rounds, ranges })),
      await poster(folder),
    ]
  } finally {
    await server.close()
    bare.stop()
    await removeFolder(folder)
  }
}

const uploads = async (
  server: ServerProcess,
  bareUrl: string,
  { path, rounds }: { path: string; rounds: number },
): Promise<Figure[]> => {
  const client = connect({ baseUrl: server.url, timeoutMs: 120_000 })
  const bytes = await openAsBlob(path)
  const upload = async () => {
    const { video_name } = await client.videos.upload({ bytes, fileName: 'large.mp4' })
    return video_name
  }
  await client.videos.delete([await upload()]) // loads the code
  const idle = await memoryOf(server.pid, 'VmRSS')
  const [own, plain]: [number[], number[]] = [[], []]
  for (let round = 0; round < rounds; round += 1) {
    const sendPlain = () => fetch(`${bareUrl}/flush`, { method: 'POST', body: bytes })
    plain.push(CLIP_BYTES / MB / (await secondsOf(sendPlain)))
    let name = ''
    const seconds = await secondsOf(async () => {
      name = await upload()
    })
    own.push(CLIP_BYTES / MB / seconds)
    await client.videos.delete([name])
  }
  const memory = (await memoryOf(server.pid, 'VmHWM')) - idle
  client.events.close()
  return [
    {
      name: 'a clip of 500 MB',
      value: median(own),
      unit: 'MB/s',
      baseline: { name: 'bare server that receives and flushes', value: median(plain) },
      mark: '0.85 x',
    },
    { name: 'memory above idle', value: memory, unit: 'MB', mark: 'under 60 MB' },
  ]
}

const rangeRequests = async (
  server: ServerProcess,
  bareUrl: string,
  { path, rounds, ranges }: { path: string; rounds: number; ranges: number },
): Promise<Figure[]> => {
  const client = connect({ baseUrl: server.url, timeoutMs: 120_000 })
  const bytes = await openAsBlob(path)
  const { video_url } = await client.videos.upload({ bytes, fileName: 'large.mp4' })
  const p50 = async (url: string): Promise<number> => {
    const times: number[] = []
    const turn = pLimit(RANGES_AT_ONCE)
    const ask = async (at: number) => {
      const from = (at * 7_919 * RANGE_BYTES) % (CLIP_BYTES - RANGE_BYTES)
      const headers = { range: `bytes=${from}-${from + RANGE_BYTES - 1}` }
      const began = performance.now()
      await (await fetch(url, { headers })).arrayBuffer()
      times.push(performance.now() - began)
    }
    await Promise.all(Array.from({ length: ranges }, (_, at) => turn(ask, at)))
    return median(times)
  }
  const own = `${server.url}/${video_url}`
  const plain = `${bareUrl}/file?${encodeURIComponent(path)}`
  const [ofOwn, ofPlain]: [number[], number[]] = [[], []]
  for (let round = 0; round < rounds; round += 1) {
    ofPlain.push(await p50(plain))
    ofOwn.push(await p50(own))
  }
  client.events.close()
  return [
    {
      name: `p50 of a range of 256 KiB, ${RANGES_AT_ONCE} at once`,
      value: median(ofOwn),
      unit: 'ms',
      baseline: { name: 'bare Node', value: median(ofPlain) },
      mark: '1.2 x',
    },
  ]
}

/** Times data and poster of a clip, once the process has loaded its library. */
const poster = async (folder: string): Promise<Figure> => {
  const path = join(folder, 'ten-seconds.mp4')
  await writeFile(path, await drawClip({ width: 1920, height: 1080, fps: 30, frames: 300 }))
  const codec = openCodecProcesses({ dataFolder: folder, maxPixels: 100_000_000 })
  const decode = () => codec.decode(path, { kind: 'video' })
  await decode()
  const times: number[] = []
  for (let round = 0; round < 5; round += 1) times.push(1000 * (await secondsOf(decode)))
  await codec.close()
  return {
    name: 'data and poster of 10 s of 1080p H.264',
    value: median(times),
    unit: 'ms',
    mark: 'under 400 ms',
  }
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      rounds: { type: 'string' },
      ranges: { type: 'string' },
      clips: { type: 'string' },
      only: { type: 'string' },
    },
    strict: false,
  })
  const figures = await bench({
    ...(typeof values.rounds === 'string' && { rounds: Number(values.rounds) }),
    ...(typeof values.ranges === 'string' && { ranges: Number(values.ranges) }),
    ...(typeof values.clips === 'string' && { clips: Number(values.clips) }),
    ...(typeof values.only === 'string' && { only: values.only }),
  })
  reportFigures('videos', figures)
}
