import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { DEFAULT_MAX_PIXELS } from '#contract/limits.ts'
import type { PictureKind } from '#demo/describe-picture.ts'
import { drawPicture } from '#demo/draw-picture.ts'
import { openImageCodec } from '#server/storage/thumbnails/image-codec.ts'
import { type Figure, median, reportFigures } from './figures.ts'

const MARK = 'at most 1.15 x'
const SIZE_PX = 1024
const KINDS: readonly PictureKind[] = [
  ...(['invokeai', 'a1111', 'a1111-jpeg', 'comfyui', 'comfyui-webp'] as const),
  ...(['photo', 'plain-webp', 'gif', 'avif', 'tiff'] as const),
]

export interface MetadataBenchOptions {
  /** Files of each kind. */
  files?: number
  rounds?: number
}

const drawFiles = async (folder: string, kind: PictureKind, count: number): Promise<string[]> => {
  const paths: string[] = []
  for (let seed = 0; seed < count; seed += 1) {
    const size = { widthPx: SIZE_PX, heightPx: SIZE_PX }
    const path = join(folder, `${kind}-${seed}`)
    await writeFile(path, (await drawPicture({ seed, kind, ...size })).bytes)
    paths.push(path)
  }
  return paths
}

/** Returns the CPU time of some work, in milliseconds. It says more than the time on a busy machine. */
const cpuOf = async (work: () => Promise<unknown>): Promise<number> => {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/** Compares reading files with and without their metadata, alternating file by file. */
export const bench = async ({
  files = 6,
  rounds = 5,
}: MetadataBenchOptions = {}): Promise<Figure[]> => {
  const folder = await mkdtemp(join(tmpdir(), 'tessera-bench-'))
  try {
    const codec = openImageCodec({ maxPixels: DEFAULT_MAX_PIXELS })
    const totals = { with: Array<number>(rounds).fill(0), without: Array<number>(rounds).fill(0) }
    const figures: Figure[] = []
    for (const kind of KINDS) {
      const paths = await drawFiles(folder, kind, files)
      const times = { with: [] as number[], without: [] as number[] }
      // The first round compiles the code.
      for (let round = -1; round < rounds; round += 1) {
        for (const path of paths) {
          const without = await cpuOf(() => codec.decode(path, { readsMetadata: false }))
          const withMetadata = await cpuOf(() => codec.decode(path))
          if (round < 0) continue
          times.without.push(without)
          times.with.push(withMetadata)
          totals.without[round] = (totals.without[round] ?? 0) + without
          totals.with[round] = (totals.with[round] ?? 0) + withMetadata
        }
      }
      const baseline = { name: 'without metadata', value: median(times.without) }
      figures.push({ name: `CPU time, ${kind}`, value: median(times.with), unit: 'ms', baseline })
    }
    const count = KINDS.length * files
    const [perFile, bare] = [median(totals.with) / count, median(totals.without) / count]
    const baseline = { name: 'without metadata', value: bare }
    const name = `CPU time per file of ${SIZE_PX} px, all kinds`
    return [{ name, value: perFile, unit: 'ms', baseline, mark: MARK }, ...figures]
  } finally {
    await rm(folder, { recursive: true })
  }
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      files: { type: 'string', default: '6' },
      rounds: { type: 'string', default: '5' },
      libraries: { type: 'string' },
    },
  })
  reportFigures(
    'metadata',
    await bench({ files: Number(values.files), rounds: Number(values.rounds) }),
  )
}
