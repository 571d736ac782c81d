/** RGBA pixels, 8 bits per channel. */
export interface SmallPicture {
  width: number
  height: number
  rgba: Uint8Array
}

/**
 * The fingerprint of a picture, by which pictures that look alike are found: two words of a perceptual hash and three
 * of its colors. Each word is from 0 to 4,294,967,294. See docs/decisions/0052-fingerprints.md.
 */
export type Fingerprint = readonly [number, number, number, number, number]

/** Waves per side. The hash has a bit for each pair of a horizontal and a vertical wave. */
const WAVES = 8

/** Weaker waves than this, in gray levels, are noise of the encoder: their bits are 0. */
const NOISE = 0.01

/** Returns the fingerprint of a picture that was reduced to some 32 pixels per side. */
export const fingerprintOf = (picture: SmallPicture): Fingerprint => {
  const opaque = onWhite(picture)
  const [high, low] = hashOf(wavesOf(opaque))
  return [high, low, ...colorsOf(opaque)]
}

interface OpaquePicture {
  width: number
  height: number
  /** Brightness, blueness and redness of each pixel (YCbCr). The latter two are 0 for gray. */
  luma: Float32Array
  blue: Float32Array
  red: Float32Array
}

const onWhite = ({ width, height, rgba }: SmallPicture): OpaquePicture => {
  const size = width * height
  const luma = new Float32Array(size)
  const blue = new Float32Array(size)
  const red = new Float32Array(size)
  for (let at = 0; at < size; at += 1) {
    const alpha = (rgba[4 * at + 3] ?? 255) / 255
    const channel = (index: number) => (rgba[4 * at + index] ?? 0) * alpha + 255 * (1 - alpha)
    const [r, g, b] = [channel(0), channel(1), channel(2)]
    const y = 0.299 * r + 0.587 * g + 0.114 * b
    luma[at] = y
    blue[at] = 0.564 * (b - y)
    red[at] = 0.713 * (r - y)
  }
  return { width, height, luma, blue, red }
}

/**
 * Returns the strengths of the waves of a picture (DCT-II), in gray levels. The horizontal wave is the major index. A short
 * side has fewer waves.
 */
const wavesOf = ({ width, height, luma }: OpaquePicture): Float32Array => {
  const [across, down] = [cosines(width), cosines(height)]
  const rows = new Float32Array(WAVES * height)
  for (let y = 0; y < height; y += 1)
    for (let u = 0; u < Math.min(WAVES, width); u += 1) {
      let sum = 0
      for (let x = 0; x < width; x += 1)
        sum += (luma[y * width + x] ?? 0) * (across[u * width + x] ?? 0)
      rows[u * height + y] = sum
    }
  const waves = new Float32Array(WAVES * WAVES)
  for (let u = 0; u < WAVES; u += 1)
    for (let v = 0; v < Math.min(WAVES, height); v += 1) {
      let sum = 0
      for (let y = 0; y < height; y += 1)
        sum += (rows[u * height + y] ?? 0) * (down[v * height + y] ?? 0)
      waves[u * WAVES + v] = sum / (width * height)
    }
  return waves
}

const cosines = (length: number): Float32Array => {
  const values = new Float32Array(WAVES * length)
  for (let wave = 0; wave < WAVES; wave += 1)
    for (let at = 0; at < length; at += 1)
      values[wave * length + at] = Math.cos((Math.PI * wave * (2 * at + 1)) / (2 * length))
  return values
}

/**
 * Returns the signs of the waves, in four parts of 16 bits by whether the horizontal and the vertical wave are even or
 * odd. A mirrored picture has the same waves, of which the odd ones change their sign, and a turned picture exchanges
 * both kinds. So the hashes of all eight orientations follow from the one hash.
 */
const hashOf = (waves: Float32Array): [number, number] => {
  const bit = (u: number, v: number) => Number((waves[u * WAVES + v] ?? 0) > NOISE)
  let [bothEven, oddAcross, oddDown, bothOdd] = [0, 0, 0, 0]
  for (let i = 0; i < 4; i += 1)
    for (let j = 0; j < 4; j += 1) {
      const place = 4 * i + j
      // The first wave is the mean brightness, which is in the colors.
      if (place > 0) bothEven |= bit(2 * i, 2 * j) << place
      oddAcross |= bit(2 * i + 1, 2 * j) << place
      oddDown |= bit(2 * j, 2 * i + 1) << place
      bothOdd |= bit(2 * i + 1, 2 * j + 1) << place
    }
  return [wordOf(bothEven, oddAcross), wordOf(oddDown, bothOdd)]
}

/** The largest number is left to columns in memory, which store each value plus 1. */
const LARGEST_WORD = 0xff_ff_ff_fe

const wordOf = (high: number, low: number): number => Math.min(high * 0x1_00_00 + low, LARGEST_WORD)

/** Limits between the levels of blueness and redness. The middle level is gray. */
const CHROMA_LIMITS = [-36, -14, -4, 4, 14, 36]

/** Returns the mean colors of three rows of three fields, a word per row and ten bits per field. */
const colorsOf = (picture: OpaquePicture): [number, number, number] => {
  const row = (from: number, to: number) =>
    thirdsOf(picture.width).reduce((word, [left, right]) => {
      const field = { from, to, left, right }
      const mean = (channel: Float32Array) => meanOf(channel, picture.width, field)
      const luma = Math.min(15, Math.floor(mean(picture.luma) / 16))
      return (
        (word << 10) | (luma << 6) | (levelOf(mean(picture.blue)) << 3) | levelOf(mean(picture.red))
      )
    }, 0)
  const [top = [0, 1], middle = [0, 1], bottom = [0, 1]] = thirdsOf(picture.height)
  return [row(...top), row(...middle), row(...bottom)]
}

const levelOf = (chroma: number): number => CHROMA_LIMITS.filter((limit) => chroma > limit).length

/** Divides a length into three parts, which are the same from both ends. Parts of a short length overlap. */
const thirdsOf = (length: number): [from: number, to: number][] => {
  const first = Math.max(1, Math.round(length / 3))
  const last = Math.max(0, length - first)
  const middle = Math.min(first, length - 1)
  return [[0, first], last > middle ? [middle, last] : [0, length], [last, length]]
}

const meanOf = (
  channel: Float32Array,
  width: number,
  { from, to, left, right }: { from: number; to: number; left: number; right: number },
): number => {
  let sum = 0
  for (let y = from; y < to; y += 1)
    for (let x = left; x < right; x += 1) sum += channel[y * width + x] ?? 0
  return sum / ((to - from) * (right - left))
}
