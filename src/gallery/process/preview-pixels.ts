import {
  boxAfter,
  type SizePx,
  type Step,
  type StepKind,
  type StepOf,
  sizeAfter,
} from '#gallery/api/process/process-steps.ts'

/** RGBA pixels, row by row, one byte per channel, colors not premultiplied. */
export interface Pixels extends SizePx {
  readonly data: Uint8Array<ArrayBuffer>
}

/** An image between two steps. The preview may have fewer pixels than the real image. */
export interface PreviewImage {
  readonly pixels: Pixels
  readonly size: SizePx
  /** True if the real image is 16-bit gray. Only resizing preserves that: see `applyStep`. */
  readonly isDeepGray?: boolean
}

/** Steps that the browser computes. An upscale needs the server's models. */
export type BrowserStep = Exclude<Step, StepOf<'upscale'>>

/** Number of preview pixels per pixel of the real image. */
interface Scale {
  readonly x: number
  readonly y: number
}

interface Surroundings {
  readonly size: SizePx
  readonly sizeAfter: SizePx
  readonly scale: Scale
  readonly limitPx: number
}

type StepFunction<K extends StepKind> = (
  pixels: Pixels,
  step: StepOf<K>,
  surroundings: Surroundings,
) => Pixels

/**
 * Applies one step as the server does. The formulas are Pillow's, as InvokeAI's nodes use them. Lengths in pixels are
 * scaled to the preview.
 *
 * For 16-bit gray (0 to 65,535) Pillow keeps values up to 255 and turns all others white, except when it resizes.
 *
 * @param limitPx - Maximum side length of a resized preview.
 * @throws {Error} The result would have no pixels.
 */
export function applyStep(
  { pixels, size, isDeepGray = false }: PreviewImage,
  step: BrowserStep,
  limitPx: number,
): PreviewImage {
  const keepsDepth = step.kind === 'resize' || step.kind === 'scale'
  const source =
    isDeepGray && !keepsDepth ? mapColors(pixels, (value) => (value > 0 ? 255 : 0)) : pixels
  const after = sizeAfter(step, size) ?? size
  if (after.width < 1 || after.height < 1) {
    throw new Error(`The result would be ${after.width} × ${after.height} pixels`)
  }
  const scale = { x: pixels.width / size.width, y: pixels.height / size.height }
  // The table has the function for this kind, which TypeScript cannot infer.
  const run = stepFunctions[step.kind] as StepFunction<StepKind>
  return {
    pixels: run(source, step, { size, sizeAfter: after, scale, limitPx }),
    size: after,
    isDeepGray: isDeepGray && keepsDepth,
  }
}

/** Returns a size reduced to a maximum side length, in whole pixels, at least one; unchanged if it is small enough. */
export function fitWithin({ width, height }: SizePx, limitPx: number): SizePx {
  const factor = Math.min(1, limitPx / Math.max(width, height))
  const scaled = (side: number) => Math.max(1, Math.round(side * factor))
  return { width: scaled(width), height: scaled(height) }
}

const toNewSize = (
  pixels: Pixels,
  _: unknown,
  { size, sizeAfter: after, limitPx }: Surroundings,
): Pixels =>
  after.width === size.width && after.height === size.height
    ? pixels
    : resized(pixels, fitWithin(after, limitPx))

const toBox = (
  pixels: Pixels,
  step: StepOf<'crop'> | StepOf<'pad'>,
  { size, scale }: Surroundings,
): Pixels => {
  const box = boxAfter(step, size)
  const width = Math.max(1, Math.round(box.width * scale.x))
  const height = Math.max(1, Math.round(box.height * scale.y))
  const x = Math.round(box.x * scale.x)
  const y = Math.round(box.y * scale.y)
  if (step.kind === 'pad') return cutOut(pixels, { x, y, width, height })
  // Rounding must not move the box over the edge, which would show as a transparent line.
  const inside = { x: Math.min(x, pixels.width - width), y: Math.min(y, pixels.height - height) }
  return cutOut(pixels, { ...inside, width, height })
}

const stepFunctions: { readonly [K in Exclude<StepKind, 'upscale'>]: StepFunction<K> } = {
  resize: toNewSize,
  scale: toNewSize,
  crop: toBox,
  pad: toBox,
  blur: (pixels, { shape, radiusPx }, { scale }) =>
    radiusPx === 0 ? mapColors(pixels, thereAndBack) : blurred(pixels, shape, radiusPx, scale),
  sharpen: (pixels, { radiusPx, percent }, { scale }) =>
    sharpened(pixels, radiusPx, percent / 100, scale),
  enhance: (pixels, step, { scale }) => enhanced(pixels, step, scale),
  convert: (pixels, { mode }) => {
    if (mode === 'RGBA') return pixels
    return mode === 'RGB' ? opaque(pixels) : grayOf(pixels, lumaAt)
  },
  mask: (pixels, { by, color, tolerance, isInverted }) => {
    const value = { alpha: alphaAt, brightness: lumaAt, color: isNear(color, tolerance) }[by]
    return grayOf(pixels, isInverted ? (data, at) => 255 - value(data, at) : value)
  },
}

// Colors

type Value = (data: Uint8Array, at: number) => number

/** ITU-R 601-2 luma in 16-bit fixed point, rounded. */
const lumaAt: Value = (data, at) =>
  ((data[at] ?? 0) * 19595 + (data[at + 1] ?? 0) * 38470 + (data[at + 2] ?? 0) * 7471 + 0x8000) >>
  16

const alphaAt: Value = (data, at) => data[at + 3] ?? 0

/** Returns white within a distance of the color, measured over all four channels; else black. */
function isNear(hex: string, tolerance: number): Value {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) =>
    Number.parseInt(hex.slice(at, at + 2), 16),
  )
  const limit = tolerance ** 2
  return (data, at) => {
    const r = (data[at] ?? 0) - red
    const g = (data[at + 1] ?? 0) - green
    const b = (data[at + 2] ?? 0) - blue
    const a = (data[at + 3] ?? 0) - 255
    return r * r + g * g + b * b + a * a < limit ? 255 : 0
  }
}

/** Returns an opaque gray image with the value computed for each pixel. */
function grayOf({ width, height, data }: Pixels, value: Value): Pixels {
  const gray = new Uint8Array(data.length)
  for (let at = 0; at < data.length; at += 4) {
    const level = value(data, at)
    gray[at] = level
    gray[at + 1] = level
    gray[at + 2] = level
    gray[at + 3] = 255
  }
  return { width, height, data: gray }
}

/** Makes all pixels opaque. Colors stay the same, also those of transparent pixels. */
function opaque({ width, height, data }: Pixels): Pixels {
  const copy = new Uint8Array(data)
  for (let at = 3; at < copy.length; at += 4) copy[at] = 255
  return { width, height, data: copy }
}

function isOpaque({ data }: Pixels): boolean {
  for (let at = 3; at < data.length; at += 4) if (data[at] !== 255) return false
  return true
}

/** Replaces each color value by a function of the value and the alpha. */
function mapColors(
  { width, height, data }: Pixels,
  change: (value: number, alpha: number) => number,
): Pixels {
  const changed = new Uint8Array(data)
  // Table for opaque pixels, because most images are opaque.
  const ofOpaque = byteTable((value) => change(value, 255))
  for (let at = 0; at < data.length; at += 4) {
    const alpha = data[at + 3] ?? 0
    for (let channel = at; channel < at + 3; channel++) {
      const value = data[channel] ?? 0
      changed[channel] = alpha === 255 ? (ofOpaque[value] ?? 0) : change(value, alpha)
    }
  }
  return { width, height, data: changed }
}

const byteTable = (change: (value: number) => number): Uint8Array =>
  Uint8Array.from({ length: 256 }, (_, value) => change(value))

/** Pillow's `Image.blend` for two values: 0 gives `from`, 1 gives `to`, more extrapolates. Truncated to a byte. */
function blend(from: number, to: number, share: number): number {
  const value = Math.fround(from + Math.fround(share * (to - from)))
  return value < 0 ? 0 : Math.trunc(Math.min(255, value))
}

/** Blends the colors of `start` and `end`. The alpha is that of `end`. */
function blended({ data: start }: Pixels, end: Pixels, factor: number): Pixels {
  const share = Math.fround(factor)
  const data = new Uint8Array(end.data)
  for (let at = 0; at < data.length; at += 4) {
    data[at] = blend(start[at] ?? 0, data[at] ?? 0, share)
    data[at + 1] = blend(start[at + 1] ?? 0, data[at + 1] ?? 0, share)
    data[at + 2] = blend(start[at + 2] ?? 0, data[at + 2] ?? 0, share)
  }
  return { ...end, data }
}

function blendedWithGray(gray: number, pixels: Pixels, percent: number): Pixels {
  const table = byteTable((value) => blend(gray, value, Math.fround(percent / 100)))
  return mapColors(pixels, (value) => table[value] ?? 0)
}

/** Implements Pillow's `ImageEnhance` in InvokeAI's order: each factor blends with a version that lacks the quality. */
function enhanced(pixels: Pixels, step: StepOf<'enhance'>, scale: Scale): Pixels {
  const { color, contrast, brightness, sharpness, isInverted } = step
  // Inverting removes the alpha.
  let result = isInverted ? mapColors(opaque(pixels), (value) => 255 - value) : pixels
  if (color !== 100) result = blended(grayOf(result, lumaAt), result, color / 100)
  if (contrast !== 100) {
    result = blendedWithGray(Math.trunc(meanLuma(result.data) + 0.5), result, contrast)
  }
  if (brightness !== 100) result = blendedWithGray(0, result, brightness)
  if (sharpness === 100) return result
  // The filter always covers nine real pixels. In a smaller preview it covers part of a pixel.
  const covered = Math.min(1, scale.x * scale.y)
  return blended(softened(result), result, 1 + (sharpness / 100 - 1) * covered)
}

function meanLuma(data: Uint8Array): number {
  let sum = 0
  for (let at = 0; at < data.length; at += 4) sum += lumaAt(data, at)
  return sum / (data.length / 4)
}

// Filters

/** Returns the mean of nine pixels, with weight 5 for the center. The outermost pixels stay unchanged. */
function softened({ width, height, data }: Pixels): Pixels {
  const soft = new Uint8Array(data)
  const row = width * 4
  const three = (at: number) => (data[at - 4] ?? 0) + (data[at] ?? 0) + (data[at + 4] ?? 0)
  for (let y = 1; y < height - 1; y++) {
    for (let at = y * row + 4; at < (y + 1) * row - 4; at++) {
      const sum = three(at - row) + three(at) + three(at + row) + 4 * (data[at] ?? 0)
      // Rounds: sums are integers, and 13 is odd.
      soft[at] = (sum + 6) / 13
    }
  }
  return { width, height, data: soft }
}

const unit = Float64Array.from({ length: 256 }, (_, value) => value / 255)

/** Implements InvokeAI's unsharp mask: moves colors away from the blurred ones. The alpha stays unchanged. */
function sharpened(pixels: Pixels, radiusPx: number, factor: number, scale: Scale): Pixels {
  const { width, height } = pixels
  const blurry = new Uint8Array(pixels.data)
  boxes(blurry, pixels, 3, (size) => gaussianWindow(radiusPx * size), scale)
  const data = new Uint8Array(pixels.data)
  for (let at = 0; at < data.length; at++) {
    if (at % 4 === 3) continue
    const value = unit[data[at] ?? 0] ?? 0
    const sharp = value + (value - (unit[blurry[at] ?? 0] ?? 0)) * factor
    data[at] = Math.min(Math.max(sharp, 0), 1) * 255
  }
  return { width, height, data }
}

const timesAlpha = (value: number, alpha: number): number => Math.trunc((value * alpha) / 255)

/** InvokeAI adds 1e-6 to avoid a division by 0, which lowers most colors by one level. */
const overAlpha = (value: number, alpha: number): number =>
  Math.min(
    255,
    Math.trunc(Math.fround(value / Math.fround(Math.fround(alpha / 255) + Math.fround(1e-6)))),
  )

const thereAndBack = (value: number, alpha: number): number =>
  overAlpha(timesAlpha(value, alpha), alpha)

/** Blurs with premultiplied colors, so that invisible colors do not bleed in. */
function blurred(
  pixels: Pixels,
  shape: StepOf<'blur'>['shape'],
  radiusPx: number,
  scale: Scale,
): Pixels {
  const { width, height, data } = mapColors(pixels, timesAlpha)
  const channels = isOpaque(pixels) ? 3 : 4
  const window = shape === 'box' ? boxWindow : gaussianWindow
  boxes(data, pixels, channels, (size) => window(radiusPx * size), scale, shape === 'box' ? 1 : 3)
  return mapColors({ width, height, data }, overAlpha)
}

/** A window of 2 * radius + 1 pixels, plus a fraction of a pixel on each side. Weights are fractions of 2 ** 24. */
interface BoxWindow {
  readonly radius: number
  readonly inner: number
  readonly outer: number
}

/** Returns the window for a fractional radius, in Pillow's precision. */
function boxWindow(radius: number): BoxWindow {
  const { fround, trunc } = Math
  const whole = trunc(radius)
  const inner = trunc(fround(2 ** 24 / fround(fround(radius) * 2 + 1)))
  return { radius: whole, inner, outer: trunc((2 ** 24 - (whole * 2 + 1) * inner) / 2) }
}

/**
 * Returns the box that, applied three times, has the variance of a Gaussian (Gwosdek and others 2011, "Theoretical
 * foundations of Gaussian convolution by extended box filtering").
 */
function gaussianWindow(radius: number): BoxWindow {
  const variance = radius ** 2 / 3
  const whole = Math.floor((Math.sqrt(12 * variance + 1) - 1) / 2)
  const above = (2 * whole + 1) * (whole * (whole + 1) - 3 * variance)
  const below = 6 * (variance - (whole + 1) ** 2)
  return boxWindow(whole + above / below)
}

/** Averages over boxes along the rows, then along the columns, in place. Pixels at the edges are repeated outwards. */
function boxes(
  data: Uint8Array,
  { width, height }: SizePx,
  channels: 3 | 4,
  windowAt: (scale: number) => BoxWindow,
  scale: Scale,
  passes = 3,
): void {
  const lineBlur = (length: number, stride: number, window: BoxWindow) => {
    // As many pixels on each side as the window reaches beyond the end.
    const margin = window.radius + 1
    const line = new Uint8Array(length + 2 * margin)
    const average = new Uint8Array(length)
    return (start: number) => {
      for (let x = 0; x < length; x++) line[margin + x] = data[start + x * stride] ?? 0
      for (let pass = 0; pass < passes; pass++) {
        line.fill(line[margin] ?? 0, 0, margin)
        line.fill(line[margin + length - 1] ?? 0, margin + length)
        averageLine(line, average, window)
        line.set(average, margin)
      }
      for (let x = 0; x < length; x++) data[start + x * stride] = average[x] ?? 0
    }
  }
  const blurRow = lineBlur(width, 4, windowAt(scale.x))
  for (let y = 0; y < height; y++) {
    for (let channel = 0; channel < channels; channel++) blurRow(y * width * 4 + channel)
  }
  const blurColumn = lineBlur(height, width * 4, windowAt(scale.y))
  for (let x = 0; x < width; x++) {
    for (let channel = 0; channel < channels; channel++) blurColumn(x * 4 + channel)
  }
}

/** Computes the average over the window at each position of a line that includes the window's margins. */
function averageLine(line: Uint8Array, average: Uint8Array, window: BoxWindow): void {
  const { radius, inner, outer } = window
  const width = 2 * radius + 1
  let sum = 0
  for (let x = 1; x <= width; x++) sum += line[x] ?? 0
  for (let x = 0; x < average.length; x++) {
    const after = line[x + width + 1] ?? 0
    average[x] = (sum * inner + ((line[x] ?? 0) + after) * outer + 2 ** 23) / 2 ** 24
    sum += after - (line[x + 1] ?? 0)
  }
}

// Geometry

interface Box extends SizePx {
  readonly x: number
  readonly y: number
}

/** Returns the part of an image within a box; transparent where the box extends beyond the image. */
function cutOut(pixels: Pixels, { x, y, width, height }: Box): Pixels {
  const data = new Uint8Array(width * height * 4)
  const left = Math.max(0, x)
  const right = Math.min(pixels.width, x + width)
  for (let row = Math.max(0, y); row < Math.min(pixels.height, y + height); row++) {
    const start = row * pixels.width
    const line = pixels.data.subarray((start + left) * 4, (start + Math.max(left, right)) * 4)
    data.set(line, ((row - y) * width + left - x) * 4)
  }
  return { width, height, data }
}

/** Resizes with a Lanczos filter, rows first, with premultiplied colors. */
function resized(pixels: Pixels, { width, height }: SizePx): Pixels {
  const hasAlpha = !isOpaque(pixels)
  const source = hasAlpha ? mapColors(pixels, (value, alpha) => over255(value * alpha)) : pixels
  const result = resampled(resampled(source, width, 'rows'), height, 'columns')
  const visible = (value: number, alpha: number) =>
    alpha === 0 || alpha === 255 ? value : Math.min(255, Math.trunc((255 * value) / alpha))
  return hasAlpha ? mapColors(result, visible) : result
}

/** Returns v / 255, rounded, for products of two bytes. */
const over255 = (value: number): number => (((value + 128) >> 8) + value + 128) >> 8

/** Resizes one direction to a length. */
function resampled(pixels: Pixels, length: number, direction: 'rows' | 'columns'): Pixels {
  const { width, height, data: source } = pixels
  const isRows = direction === 'rows'
  if (length === (isRows ? width : height)) return pixels
  const lines = isRows ? height : width
  const target = new Uint8Array(lines * length * 4)
  // Distances in bytes between lines and between the pixels of a line.
  const [fromLine, fromStep] = isRows ? [width * 4, 4] : [4, width * 4]
  const [toLine, toStep] = isRows ? [length * 4, 4] : [4, width * 4]
  const taps = lanczosTaps(isRows ? width : height, length)
  const weigh = (line: number, index: number) => {
    const { first, weights } = taps[index] ?? noTaps
    let red = HALF
    let green = HALF
    let blue = HALF
    let alpha = HALF
    let at = line * fromLine + first * fromStep
    for (let tap = 0; tap < weights.length; tap++) {
      const weight = weights[tap] ?? 0
      red += (source[at] ?? 0) * weight
      green += (source[at + 1] ?? 0) * weight
      blue += (source[at + 2] ?? 0) * weight
      alpha += (source[at + 3] ?? 0) * weight
      at += fromStep
    }
    const to = line * toLine + index * toStep
    target[to] = byteOf(red)
    target[to + 1] = byteOf(green)
    target[to + 2] = byteOf(blue)
    target[to + 3] = byteOf(alpha)
  }
  // In the order of the target's pixels, because neighbors share the processor's cache.
  const [outer, inner] = isRows ? [lines, length] : [length, lines]
  for (let y = 0; y < outer; y++) {
    for (let x = 0; x < inner; x++) weigh(isRows ? y : x, isRows ? x : y)
  }
  return { width: isRows ? length : width, height: isRows ? height : length, data: target }
}

/** Number of fractional bits of weights, as in Pillow. */
const WEIGHT_BITS = 22
const HALF = 2 ** (WEIGHT_BITS - 1)

const byteOf = (sum: number): number => Math.min(255, Math.max(0, sum >> WEIGHT_BITS))

const sinc = (x: number): number => (x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x))
const lanczos = (x: number): number => (Math.abs(x) < 3 ? sinc(x) * sinc(x / 3) : 0)

/** The source pixels of one resized pixel. */
interface Taps {
  readonly first: number
  readonly weights: Int32Array
}

const noTaps: Taps = { first: 0, weights: new Int32Array() }

/** Returns the taps of each resized pixel. Shrinking widens the filter, so that every source pixel counts. */
function lanczosTaps(fromLength: number, toLength: number): Taps[] {
  const scale = fromLength / toLength
  const widening = Math.max(1, scale)
  const support = 3 * widening
  return Array.from({ length: toLength }, (_, index) => {
    const center = (index + 0.5) * scale
    const first = Math.max(0, Math.trunc(center - support + 0.5))
    const end = Math.min(fromLength, Math.trunc(center + support + 0.5))
    const raw = Array.from({ length: end - first }, (_, tap) =>
      lanczos((first + tap - center + 0.5) / widening),
    )
    const sum = raw.reduce((total, weight) => total + weight, 0)
    return {
      first,
      weights: Int32Array.from(raw, (weight) => Math.round((weight / sum) * 2 ** WEIGHT_BITS)),
    }
  })
}
