import { crc32 } from 'node:zlib'
import sharp from 'sharp'
import { turnedHeic } from './small-files.ts'
import { writeBmp } from './write-bmp.ts'

const tiny = sharp({ create: { width: 64, height: 64, channels: 3, background: '#000' } })

const jpegOfSize = async (size: number, marker: string, progressive: boolean) => {
  const jpeg = await tiny.clone().jpeg({ progressive }).toBuffer()
  const frame = jpeg.indexOf(Buffer.from(marker, 'hex'))
  jpeg.writeUInt16BE(size, frame + 5)
  jpeg.writeUInt16BE(size, frame + 7)
  return jpeg
}

const pngOfSize = async (size: number, progressive: boolean) => {
  const png = await tiny.clone().png({ progressive }).toBuffer()
  png.writeUInt32BE(size, 16)
  png.writeUInt32BE(size, 20)
  png.writeUInt32BE(crc32(png.subarray(12, 29)), 29)
  return png
}

const isoMediaOfSize = (file: Buffer, size: number) => {
  for (let at = file.indexOf('ispe'); at >= 0; at = file.indexOf('ispe', at + 1)) {
    file.writeUInt32BE(size, at + 8)
    file.writeUInt32BE(size, at + 12)
  }
  return file
}

/** Every pixel takes zero bits, so that these 28 bytes are a complete image of any size. */
const losslessWebp = Buffer.from('UklGRhQAAABXRUJQVlA4TAgAAAAvD+fDCYiICA==', 'base64')

/** Returns the header of a JPEG XL in the lowest bits first: `small` 0, heights of 30 bits, ratio 1:1, and default values. */
const jxlHeader = (size: number): Buffer => {
  const bits = `0${'11'}${(size - 1).toString(2).padStart(30, '0').split('').reverse().join('')}${'100'}${'11'}`
  const bytes = bits.match(/.{1,8}/g) ?? []
  const header = bytes.map((byte) => Number.parseInt([...byte].reverse().join(''), 2))
  return Buffer.from([0xff, 0x0a, ...header, 0, 0])
}

/** Functions that write this size into the header of each format. */
const makers = {
  AVIF: async (size: number) =>
    isoMediaOfSize(await tiny.clone().avif({ effort: 0 }).toBuffer(), size),
  HEIC: async (size: number) => isoMediaOfSize(Buffer.from(turnedHeic), size),
  'BMP of 1 bit': async (size: number) => {
    const head = writeBmp({ width: 1, height: 1 }, () => [255, 255, 255, 255], { bits: 1 })
    head.writeInt32LE(size, 18)
    head.writeInt32LE(size, 22)
    return Buffer.concat([head, Buffer.alloc(Math.ceil(size / 32) * 4 * size)])
  },
  GIF: async (size: number) => {
    const gif = await tiny.clone().gif().toBuffer()
    const frame = gif.indexOf(Buffer.from([0x2c, 0, 0, 0, 0, 64, 0, 64, 0]))
    for (const at of [6, frame + 5]) {
      gif.writeUInt16LE(size, at)
      gif.writeUInt16LE(size, at + 2)
    }
    return gif
  },
  'JPEG XL': async (size: number) => jxlHeader(size),
  JPEG: (size: number) => jpegOfSize(size, 'ffc0', false),
  PNG: (size: number) => pngOfSize(size, false),
  'interlaced PNG': (size: number) => pngOfSize(size, true),
  'lossless WebP': async (size: number) => {
    const webp = Buffer.from(losslessWebp)
    // 14 bits each for width and height, minus one.
    webp.writeUInt32LE((size - 1) * 2 ** 14 + (size - 1), webp.indexOf('VP8L') + 9)
    return webp
  },
  'lossy WebP': async (size: number) => {
    const webp = await tiny.clone().webp().toBuffer()
    const at = webp.indexOf('VP8 ') + 14
    webp.writeUInt16LE(size, at)
    webp.writeUInt16LE(size, at + 2)
    return webp
  },
  'progressive JPEG': (size: number) => jpegOfSize(size, 'ffc2', true),
} satisfies Record<string, (size: number) => Promise<Buffer>>

export type SizedFormat = keyof typeof makers

/**
 * Returns a small file whose header declares a square of this size in pixels. Its pixels are missing, except
 * in a BMP and in a lossless WebP.
 */
export const fileOfSize = (format: SizedFormat, sizePx: number): Promise<Buffer> =>
  makers[format](sizePx)
