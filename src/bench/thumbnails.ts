import { createReadStream } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pLimit from 'p-limit'
import { withBareSharp } from '#bench/bare/with-bare-sharp.ts'
import { DEFAULT_MAX_PIXELS, DEFAULT_MAX_UPLOAD_BYTES } from '#contract/limits.ts'
import { drawPicture } from '#demo/draw-picture.ts'
import { IngestService } from '#server/core/intake/ingest-service.ts'
import { openImageFiles } from '#server/storage/disk/image-files.ts'
import { openRecords } from '#server/storage/sqlite/open-records.ts'
import { openImageCodec } from '#server/storage/thumbnails/image-codec.ts'
import { openThumbnailFiles } from '#server/storage/thumbnails/thumbnail-files.ts'
import { type Figure, median, reportFigures } from './figures.ts'

/** Parallel uploads, as from a page and a few other clients. */
const AT_ONCE = 8

export interface ThumbnailsBenchOptions {
  /** 1024 px PNGs per round. */
  images?: number
  rounds?: number
}

const drawFiles = async (folder: string, count: number): Promise<string[]> => {
  const paths = []
  for (let seed = 0; seed < count; seed++) {
    const size = { widthPx: 1024, heightPx: 1024 }
    const { bytes } = await drawPicture({ seed, kind: 'invokeai', ...size })
    const path = join(folder, `${seed}.png`)
    await writeFile(path, bytes)
    paths.push(path)
  }
  return paths
}

const perSecond = async (
  paths: readonly string[],
  atOnce: number,
  work: (path: string) => Promise<unknown>,
): Promise<number> => {
  const began = performance.now()
  await pLimit(atOnce).map(paths, work)
  return (paths.length * 1000) / (performance.now() - began)
}

/**
 * Measures thumbnails per second, alternating bare sharp, Tessera's codec, and whole durable uploads without
 * the network.
 */
export const bench = async ({
  images = 100,
  rounds = 3,
}: ThumbnailsBenchOptions = {}): Promise<Figure[]> => {
  const folder = await mkdtemp(join(tmpdir(), 'tessera-bench-'))
  const records = await openRecords({ dataFolder: folder })
  try {
    const codec = openImageCodec({ maxPixels: DEFAULT_MAX_PIXELS })
    const ingest = new IngestService({
      ...records,
      codec,
      files: await openImageFiles({ dataFolder: folder }),
      thumbnails: await openThumbnailFiles(folder),
      limits: { maxUploadBytes: DEFAULT_MAX_UPLOAD_BYTES },
      clock: Date.now,
    })
    const paths = await drawFiles(folder, images)
    const rates = { bare: [] as number[], codec: [] as number[], ingest: [] as number[] }
    for (let round = 0; round < rounds; round++) {
      rates.bare.push(await perSecond(paths, availableParallelism() + 1, withBareSharp))
      rates.codec.push(await perSecond(paths, AT_ONCE, (path) => codec.decode(path)))
      rates.ingest.push(
        await perSecond(paths, AT_ONCE, (path) =>
          ingest.ingest({
            source: createReadStream(path, { highWaterMark: 1024 * 1024 }),
            category: 'user',
          }),
        ),
      )
    }
    const baseline = { name: 'bare sharp', value: median(rates.bare) }
    return [
      { name: 'bare sharp, 1024 px PNG', value: baseline.value, unit: 'images/s' },
      {
        name: 'header, metadata, thumbnail',
        value: median(rates.codec),
        unit: 'images/s',
        baseline,
      },
      {
        name: 'whole durable upload, no network',
        value: median(rates.ingest),
        unit: 'images/s',
        baseline,
        mark: '0.65 x, better 0.8 x',
      },
    ]
  } finally {
    await records.close()
    await rm(folder, { recursive: true })
  }
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: { decodes: { type: 'string' }, rounds: { type: 'string' } },
    strict: false,
  })
  const images = Number(values.decodes ?? 100)
  reportFigures('thumbnails', await bench({ images, rounds: Number(values.rounds ?? 3) }))
}
