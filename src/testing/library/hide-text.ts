import { gzipSync } from 'node:zlib'
import sharp from 'sharp'

interface Hidden {
  text: string
  mode?: 'alpha' | 'rgb'
  isCompressed?: boolean
  width?: number
  height?: number
  format?: 'png' | 'webp'
  /** Bits of the payload, to declare a wrong length. */
  declaredBits?: number
}

/** Draws an image whose lowest bits hide a text, column by column, as NovelAI and an extension of A1111 write it. */
export const hideText = ({
  text,
  mode = 'alpha',
  isCompressed = false,
  width = 64,
  height = 96,
  format = 'png',
  declaredBits,
}: Hidden): Promise<Buffer> => {
  const payload = isCompressed ? gzipSync(text) : Buffer.from(text)
  const length = Buffer.alloc(4)
  length.writeUInt32BE(declaredBits ?? payload.length * 8)
  const name = `stealth_${mode === 'alpha' ? 'png' : 'rgb'}${isCompressed ? 'comp' : 'info'}`
  const bytes = Buffer.concat([Buffer.from(name), length, payload])
  const pixels = Buffer.alloc(width * height * 4, 0xfe)
  const perPixel = mode === 'alpha' ? 1 : 3
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const pixel = Math.floor(bit / perPixel)
    const [x, y] = [Math.floor(pixel / height), pixel % height]
    const channel = mode === 'alpha' ? 3 : bit % 3
    const value = ((bytes[bit >> 3] ?? 0) >> (7 - (bit % 8))) & 1
    pixels[(y * width + x) * 4 + channel] = 0xfe | value
  }
  const image = sharp(pixels, { raw: { width, height, channels: 4 } })
  return format === 'png' ? image.png().toBuffer() : image.webp({ lossless: true }).toBuffer()
}
