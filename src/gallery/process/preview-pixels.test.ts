import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { drawPicture } from '#demo/draw-picture.ts'
import { nodesOf } from '#gallery/api/process/process-nodes.ts'
import { type SizePx, sizeAfter, stepOverLimit } from '#gallery/api/process/process-steps.ts'
import { toMode } from '#server/engine/pictures/modes/to-mode.ts'
import type { Picture } from '#server/engine/pictures/picture.ts'
import { runPictureNode } from '#testing/library/pictures.ts'
import { applyStep, type BrowserStep, fitWithin, type Pixels } from './preview-pixels.ts'
import { stepKinds } from './step-kinds.ts'

/** Returns the decoded pixels of a generated photograph. */
async function photo(seed: number, size: SizePx): Promise<Pixels> {
  const { bytes } = await drawPicture({ seed, kind: 'photo', ...pxOf(size) })
  const { data, info } = await sharp(bytes)
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { width: info.width, height: info.height, data: new Uint8Array(data) }
}

const pxOf = ({ width, height }: SizePx) => ({ widthPx: width, heightPx: height })

const small = photo(4, { width: 240, height: 150 })
const large = photo(9, { width: 660, height: 440 })

/**
 * Returns the photograph with transparency that increases to the right: opaque at the left edge, invisible at the right
 * edge.
 */
function fading({ width, height, data }: Pixels): Pixels {
  const faded = new Uint8Array(data)
  for (let pixel = 0; pixel < width * height; pixel++) {
    const share = (pixel % width) / (width - 1)
    faded[pixel * 4 + 3] = Math.round(255 * Math.min(1, Math.max(0, 1.2 - 1.4 * share)))
  }
  return { width, height, data: faded }
}

/** Returns the result of the server's nodes, as RGBA. */
async function onServer(
  source: Pixels | Picture,
  steps: readonly BrowserStep[],
  maxPixels = 1e8,
): Promise<Pixels> {
  let picture: Picture = { mode: 'RGBA', ...source }
  for (const step of steps) {
    for (const { type, inputs } of nodesOf(step, picture)) {
      picture = await runPictureNode(type, { image: picture, ...inputs }, { maxPixels })
    }
  }
  // PNG has 16 bits per channel, and browsers show the upper 8.
  const { width, height, data } = await toMode(upperBits(picture), 'RGBA')
  return { width, height, data: new Uint8Array(data) }
}

const upperBits = (picture: Picture): Picture =>
  picture.mode === 'I'
    ? {
        ...picture,
        mode: 'L',
        data: new Uint8Array(Uint8ClampedArray.from(picture.data, (value) => value >> 8)),
      }
    : picture

/** Returns the result of the page, computed on an image that is reduced to `limitPx`. */
function inPage(
  pixels: Pixels,
  size: SizePx,
  steps: readonly BrowserStep[],
  limitPx = 1e5,
): Pixels {
  let image = { pixels, size }
  for (const step of steps) image = applyStep(image, step, limitPx)
  return image.pixels
}

/** Returns the pixels scaled as browsers do for display. */
async function shrunk({ width, height, data }: Pixels, to: SizePx): Promise<Pixels> {
  const raw = await sharp(data, { raw: { width, height, channels: 4 } })
    .resize({ ...to, fit: 'fill' })
    .raw()
    .toBuffer()
  return { ...to, data: new Uint8Array(raw) }
}

/** Returns the mean and maximum difference in levels, composed on white. */
function difference(a: Pixels, b: Pixels): { mean: number; max: number } {
  expect([a.width, a.height]).toEqual([b.width, b.height])
  const seen = ({ data }: Pixels, at: number) => {
    const alpha = (data[at | 3] ?? 0) / 255
    return (data[at] ?? 0) * alpha + 255 * (1 - alpha)
  }
  let sum = 0
  let max = 0
  for (let at = 0; at < a.data.length; at++) {
    const levels = at % 4 === 3 ? 0 : Math.abs(seen(a, at) - seen(b, at))
    sum += levels
    max = Math.max(max, levels)
  }
  return { mean: sum / ((a.data.length / 4) * 3), max }
}

const { resize, crop, blur, sharpen, enhance, convert, mask } = Object.fromEntries(
  Object.entries(stepKinds).map(([kind, { start }]) => [kind, start]),
) as { [K in keyof typeof stepKinds]: (typeof stepKinds)[K]['start'] }

const cases: [name: string, ...steps: BrowserStep[]][] = [
  ['resize to a smaller side', { ...resize, sidePx: 100 }],
  ['resize to a larger side', { ...resize, sidePx: 500 }],
  ['resize to other proportions', { ...resize, by: 'both', widthPx: 120, heightPx: 250 }],
  ['scale', { kind: 'scale', percent: 37 }],
  ['crop to proportions', crop],
  ['crop to a size', { ...crop, to: 'size', widthPx: 90, heightPx: 1000 }],
  ['pad', { kind: 'pad', leftPx: 10, rightPx: 0, topPx: 25, bottomPx: 7 }],
  ['Gaussian blur', blur],
  ['wide Gaussian blur', { ...blur, radiusPx: 150 }],
  ['box blur', { ...blur, shape: 'box', radiusPx: 5 }],
  ['blur by nothing', { ...blur, radiusPx: 0 }],
  ['sharpen', { ...sharpen, percent: 150 }],
  ['brightness', { ...enhance, brightness: 160 }],
  ['contrast', { ...enhance, contrast: 180 }],
  ['color', { ...enhance, color: 0 }],
  ['sharpness', { ...enhance, sharpness: 300 }],
  ['softness', { ...enhance, sharpness: 0 }],
  ['negative', { ...enhance, isInverted: true }],
  [
    'all enhancements',
    {
      kind: 'enhance',
      isInverted: true,
      brightness: 70,
      contrast: 140,
      color: 200,
      sharpness: 150,
    },
  ],
  ['gray', convert],
  ['no transparency', { ...convert, mode: 'RGB' }],
  ['transparency', { ...convert, mode: 'RGBA' }],
  ['mask by brightness', mask],
  ['inverted mask by brightness', { ...mask, isInverted: true }],
  ['mask by transparency', { ...mask, by: 'alpha' }],
  ['mask by color', { ...mask, by: 'color', color: '#7090b0', tolerance: 90 }],
  [
    'a chain',
    { ...crop, proportions: '4:3' },
    { ...resize, sidePx: 200 },
    { ...enhance, contrast: 130 },
    blur,
    { kind: 'pad', leftPx: 8, rightPx: 8, topPx: 8, bottomPx: 8 },
    convert,
  ],
]

describe.each([
  ['a photograph', (pixels: Pixels) => pixels],
  ['a transparent image', fading],
])("computes the server's result for %s of full size", (_, prepare) => {
  test.each(cases)('%s', async (_, ...steps) => {
    const pixels = prepare(await small)

    const { mean, max } = difference(inPage(pixels, pixels, steps), await onServer(pixels, steps))

    // The server shrinks with sharp, which is faster.
    const isResized = steps.some(({ kind }) => kind === 'resize' || kind === 'scale')
    expect(mean).toBeLessThanOrEqual(isResized ? 1.5 : 0)
    expect(max).toBeLessThanOrEqual(isResized ? 20 : 0)
  })
})

describe('looks the same for a reduced photograph', () => {
  const limitPx = 264

  test.each(cases)('%s', async (_, ...steps) => {
    const pixels = await large
    const reduced = await shrunk(pixels, fitWithin(pixels, limitPx))

    const preview = inPage(reduced, pixels, steps, limitPx)
    const { mean } = difference(preview, await shrunk(await onServer(pixels, steps), preview))

    // A threshold gives different results for fine texture at another size.
    const isCut = steps.some((step) => step.kind === 'mask' && step.by === 'color')
    expect(mean).toBeLessThan(isCut ? 3.5 : 0.7)
  })
})

test.each<[BrowserStep]>([[{ ...resize, sidePx: 30 }], [blur], [mask]])(
  'processes 16-bit gray with $kind as the server does',
  async (step) => {
    const levels = [0, 300, 9_000, 30_000, 60_000, 65_535]
    const deep = Int32Array.from(
      { length: 60 * 40 },
      (_, at) => levels[Math.floor(at / 10) % 6] ?? 0,
    )
    const bytes = Uint8Array.from(deep, (value) => value >> 8)
    const size = { width: 60, height: 40 }
    const shown = await toMode({ mode: 'L', ...size, data: bytes }, 'RGBA')
    const pixels = { ...size, data: new Uint8Array(shown.data) }

    const preview = applyStep({ pixels, size, isDeepGray: true }, step, 1e5).pixels

    const real = await onServer({ mode: 'I', ...size, data: deep }, [step])
    expect(difference(preview, real).mean).toBeLessThan(1)
  },
)

test.each([
  { width: 1, height: 1 },
  { width: 1, height: 300 },
  { width: 2, height: 2 },
])('applies every step to an image of $width × $height', (size) => {
  const pixels = { ...size, data: new Uint8Array(size.width * size.height * 4).fill(200) }

  for (const [, ...steps] of cases.filter(([name]) => name !== 'scale')) {
    const preview = inPage(pixels, size, steps)

    const real = steps.reduce<SizePx>((now, step) => sizeAfter(step, now) ?? now, size)
    expect([preview.width, preview.height]).toEqual([real.width, real.height])
  }
})

test('throws for a step whose result has no pixels', () => {
  const pixels = { width: 4, height: 40, data: new Uint8Array(640) }

  const shrink = () => inPage(pixels, pixels, [{ kind: 'scale', percent: 10 }])

  expect(shrink).toThrow('The result would be 0 × 4 pixels')
})

describe('the pixel limit', () => {
  const size = { width: 60, height: 40 }

  test.each<[string, refused: number | null, ...steps: BrowserStep[]]>([
    ['a resize to one side', 0, { ...resize, sidePx: 100 }],
    ['a resize within it', null, { ...resize, sidePx: 70 }],
    ['a resize to both sides', 0, { ...resize, by: 'both', widthPx: 50, heightPx: 81 }],
    ['a scale', 1, blur, { kind: 'scale', percent: 130 }],
    ['a pad', 0, { kind: 'pad', leftPx: 0, rightPx: 20, topPx: 0, bottomPx: 11 }],
    ['a crop after a step over it', 0, { kind: 'scale', percent: 200 }, { ...crop, to: 'size' }],
    ['a step of the same size', null, blur],
  ])('refuses %s as the server does', async (_, refused, ...steps) => {
    const pixels = { ...size, data: new Uint8Array(60 * 40 * 4).fill(200) }

    const found = stepOverLimit(steps, size, 4_000)
    const answer = await onServer(pixels, steps, 4_000).catch((error: Error) => error.message)

    expect(found?.index ?? null).toBe(refused)
    if (found) {
      expect(answer).toContain(`${found.size.width} x ${found.size.height} pixels are more than`)
    } else expect(answer).toHaveProperty('data')
  })

  test('refuses an image above the limit before the first step', () => {
    expect(stepOverLimit([blur], size, 2_000)).toEqual({ index: -1, size })
  })
})
