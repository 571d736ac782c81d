import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ModelFile } from '#server/core/models/model-ports.ts'
import { LoadedModels } from '#server/engine/models/loaded-models.ts'
import type { BytePicture } from '#server/engine/pictures/picture.ts'
import { modelFile } from '#testing/models/model-file.ts'
import {
  countingOnnx,
  enlargingOnnx,
  failingOnnx,
  multiplyingOnnx,
  normalizingOnnx,
  subPixelOnnx,
} from '#testing/models/onnx-file.ts'
import { runModelNode } from '#testing/models/run-model-node.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tessera-onnx-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

let count = 0
const written = async (bytes: Uint8Array): Promise<ModelFile> => {
  count += 1
  const path = join(folder, `model-${count}.onnx`)
  await writeFile(path, bytes)
  return modelFile(path, bytes.length)
}

/** Draws a picture in which adjacent pixels differ. */
const drawn = (mode: 'RGB' | 'RGBA', width: number, height: number): BytePicture => {
  const bands = mode === 'RGB' ? 3 : 4
  const data = Uint8Array.from({ length: width * height * bands }, (_, at) => (at * 37) % 256)
  return { mode, width, height, data }
}

/** Enlarges a picture by an integer factor with nearest-neighbor scaling. */
const enlarged = (picture: BytePicture, factor: number): Uint8Array => {
  const { width, height, data } = picture
  const made = new Uint8Array(width * height * factor * factor * 3)
  for (let y = 0; y < height * factor; y++) {
    for (let x = 0; x < width * factor; x++) {
      const from = (Math.floor(y / factor) * width + Math.floor(x / factor)) * 3
      made.set(data.subarray(from, from + 3), (y * width * factor + x) * 3)
    }
  }
  return made
}

const loaded = () => new LoadedModels(1_000_000, () => undefined)

test.each([
  ['one tile', 20, 12, 64, 16],
  ['many tiles', 75, 50, 16, 4],
  ['tiles without an overlap', 70, 33, 16, 0],
  ['tiles with an overlap of half a tile', 70, 33, 16, 8],
])(
  'a picture in %s equals the result of a single run',
  async (_, width, height, tile_size, overlap) => {
    const picture = drawn('RGB', width, height)

    const made = await runModelNode(loaded(), await written(enlargingOnnx(2)), {
      picture,
      tile_size,
      overlap,
    })

    expect([made.mode, made.width, made.height]).toEqual(['RGB', width * 2, height * 2])
    expect(Buffer.from(made.data).equals(enlarged(picture, 2))).toBe(true)
  },
)

test('makes no seams in a flat picture', async () => {
  const data = new Uint8Array(60 * 40 * 3).fill(200)
  const picture: BytePicture = { mode: 'RGB', width: 60, height: 40, data }

  const made = await runModelNode(loaded(), await written(multiplyingOnnx(0.5)), {
    picture,
    tile_size: 16,
    overlap: 7,
  })

  expect(new Set(made.data)).toEqual(new Set([100]))
})

/** Returns the largest difference between adjacent pixels of the first row. */
const largestStep = ({ width, data }: BytePicture): number => {
  const steps = Array.from({ length: width - 1 }, (_, x) =>
    Math.abs((data[(x + 1) * 3] ?? 0) - (data[x * 3] ?? 0)),
  )
  return Math.max(...steps)
}

test('cross-fades tiles that differ in small steps', async () => {
  const data = Uint8Array.from({ length: 64 * 32 * 3 }, (_, at) => Math.floor(at / 3) % 64)
  const picture: BytePicture = { mode: 'RGB', width: 64, height: 32, data }
  const model = await written(normalizingOnnx())
  const stepWith = async (overlap: number) =>
    largestStep(await runModelNode(loaded(), model, { picture, tile_size: 32, overlap }))

  // From the lightest pixel of a tile, sqrt(3) deviations from its mean, to the darkest of the next tile.
  expect(await stepWith(0)).toBeCloseTo(2 * Math.sqrt(3) * 25.5, -1)
  expect(await stepWith(16)).toBeLessThan(8)
})

test('passes a model with a fixed input size exactly that size', async () => {
  const picture = drawn('RGB', 50, 10)

  const made = await runModelNode(loaded(), await written(enlargingOnnx(3, [1, 3, 16, 24])), {
    picture,
    tile_size: 256,
    overlap: 16,
  })

  expect([made.width, made.height]).toEqual([150, 30])
  expect(Buffer.from(made.data).equals(enlarged(picture, 3))).toBe(true)
})

test('makes no seams with a typical upscaler of convolution and depth-to-space', async () => {
  const picture = drawn('RGB', 70, 33)

  const made = await runModelNode(loaded(), await written(subPixelOnnx(2)), {
    picture,
    tile_size: 32,
    overlap: 8,
  })

  expect([made.width, made.height]).toEqual([140, 66])
  expect(Buffer.from(made.data).equals(enlarged(picture, 2))).toBe(true)
})

test('reports size and reason when a model fails', async () => {
  const run = runModelNode(loaded(), await written(failingOnnx()), { picture: drawn('RGB', 8, 8) })

  await expect(run).rejects.toThrow(
    /^The model fails on 8 x 8 pixels: axis.*Attempting to broadcast an axis by a dimension other/,
  )
})

test('clamps values above white', async () => {
  const picture: BytePicture = { mode: 'RGB', width: 1, height: 1, data: Uint8Array.of(200, 10, 0) }

  const made = await runModelNode(loaded(), await written(multiplyingOnnx(2)), { picture })

  expect([...made.data]).toEqual([255, 20, 0])
})

test('retains the alpha and interpolates it', async () => {
  const data = Uint8Array.of(10, 20, 30, 0, 40, 50, 60, 255)
  const picture: BytePicture = { mode: 'RGBA', width: 2, height: 1, data }

  const made = await runModelNode(loaded(), await written(enlargingOnnx(2)), { picture })

  expect([made.mode, made.width, made.height]).toEqual(['RGBA', 4, 2])
  const row = [10, 20, 30, 0, 10, 20, 30, 64, 40, 50, 60, 191, 40, 50, 60, 255]
  expect([...made.data]).toEqual([...row, ...row])
})

test('reports progress with a preview after each tile', async () => {
  const reported: unknown[] = []
  await runModelNode(loaded(), await written(enlargingOnnx(2)), {
    picture: drawn('RGB', 40, 16),
    tile_size: 24,
    overlap: 8,
    progress: (message, percentage, preview) =>
      reported.push([message, percentage, preview?.width]),
  })

  expect(reported).toEqual([
    ['Tile 1 of 2', 0.5, 80],
    ['Tile 2 of 2', 1, 80],
  ])
})

test('stops between tiles when it is canceled', async () => {
  const aborting = new AbortController()
  const reported: string[] = []
  const run = runModelNode(loaded(), await written(enlargingOnnx(2)), {
    picture: drawn('RGB', 100, 16),
    tile_size: 16,
    overlap: 0,
    signal: aborting.signal,
    progress: (message) => {
      reported.push(message)
      aborting.abort()
    },
  })

  await expect(run).rejects.toThrow('aborted')
  expect(reported).toEqual(['Tile 1 of 7'])
})

test('refuses a result that is too large', async () => {
  const run = runModelNode(loaded(), await written(enlargingOnnx(8)), {
    picture: drawn('RGB', 500, 500),
    maxPixels: 1_000_000,
  })

  await expect(run).rejects.toThrow("4000 x 4000 pixels are more than this server's limit")
})

test.each([
  ['integers', countingOnnx(), 'The model takes int64 1x3xhxw and gives int64 1x3xhxw'],
  ['one color channel', multiplyingOnnx(1, { input: [1, 1, 'h', 'w'] }), 'takes float32 1x1xhxw'],
  ['batches of four', multiplyingOnnx(1, { input: [4, 3, 'h', 'w'] }), 'takes float32 4x3xhxw'],
  ['vectors', multiplyingOnnx(1, { input: [1, 3] }), 'takes float32 1x3 and'],
])('refuses a model of %s and describes its inputs', async (_, bytes, words) => {
  const run = runModelNode(loaded(), await written(bytes), { picture: drawn('RGB', 8, 8) })

  await expect(run).rejects.toThrow(words)
})

test('limits the overlap to half a tile', async () => {
  const run = runModelNode(loaded(), await written(enlargingOnnx(2)), {
    picture: drawn('RGB', 8, 8),
    tile_size: 16,
    overlap: 9,
  })

  await expect(run).rejects.toThrow('overlap may be at most half of tile_size')
})
