/** The kind of BMP to write. The defaults give the most common one: 24 bits, a header of 40 bytes, bottom-up rows. */
export interface BmpOptions {
  /** 1, 4 and 8 bits use a palette. */
  bits?: 1 | 4 | 8 | 16 | 24 | 32
  /** 12: OS/2; 40: Windows 3; 124: Windows 98. */
  headerBytes?: 12 | 40 | 124
  /** Masks of red, green, blue and alpha for 16 and 32 bits. */
  masks?: number[]
  isTopDown?: boolean
  /** Bytes between the headers and the pixels. */
  gapBytes?: number
}

type Rgba = readonly [red: number, green: number, blue: number, alpha: number]

/**
 * Writes a BMP file with the pixels that `colorAt` returns. A palette has the colors in the order of their
 * first use.
 */
export function writeBmp(
  { width, height }: { width: number; height: number },
  colorAt: (x: number, y: number) => Rgba,
  options: BmpOptions = {},
): Buffer {
  const { bits = 24, headerBytes = 40, masks, isTopDown = false, gapBytes = 0 } = options
  const isCore = headerBytes === 12
  const rowBytes = Math.ceil((width * bits) / 32) * 4
  const maskBytes = masks && headerBytes === 40 ? 12 : 0
  const paletteAt = 14 + headerBytes + maskBytes
  const entryBytes = isCore ? 3 : 4
  const paletteBytes = bits <= 8 ? entryBytes * 2 ** bits : 0
  const pixelsAt = paletteAt + paletteBytes + gapBytes
  const file = Buffer.alloc(pixelsAt + rowBytes * height)

  file.write('BM', 0, 'latin1')
  file.writeUInt32LE(file.length, 2)
  file.writeUInt32LE(pixelsAt, 10)
  file.writeUInt32LE(headerBytes, 14)
  if (isCore) {
    file.writeUInt16LE(width, 18)
    file.writeUInt16LE(height, 20)
    file.writeUInt16LE(1, 22)
    file.writeUInt16LE(bits, 24)
  } else {
    file.writeInt32LE(width, 18)
    file.writeInt32LE(isTopDown ? -height : height, 22)
    file.writeUInt16LE(1, 26)
    file.writeUInt16LE(bits, 28)
    file.writeUInt32LE(masks ? 3 : 0, 30)
    masks?.forEach((mask, index) => void file.writeUInt32LE(mask, 54 + 4 * index))
  }

  const colors = new Map<string, number>()
  const indexOf = (color: Rgba): number => {
    const key = color.join()
    const index = colors.get(key) ?? colors.size
    if (colors.has(key)) return index
    colors.set(key, index)
    file.set([color[2], color[1], color[0]], paletteAt + index * entryBytes)
    return index
  }
  const packed = (color: Rgba): number => {
    const all = masks ?? (bits === 16 ? [0x7c00, 0x3e0, 0x1f] : [0xff0000, 0xff00, 0xff])
    return all.reduce((pixel, mask, band) => {
      const shift = 31 - Math.clz32(mask & -mask)
      const value = Math.round(((color[band] ?? 0) * (mask >>> shift)) / 255)
      return (pixel | (value << shift)) >>> 0
    }, 0)
  }
  for (let y = 0; y < height; y++) {
    const row = pixelsAt + (isTopDown ? y : height - 1 - y) * rowBytes
    for (let x = 0; x < width; x++) {
      const color = colorAt(x, y)
      if (bits === 24) file.set([color[2], color[1], color[0]], row + x * 3)
      else if (bits === 32) file.writeUInt32LE(packed(color), row + x * 4)
      else if (bits === 16) file.writeUInt16LE(packed(color), row + x * 2)
      else {
        const at = row + Math.floor((x * bits) / 8)
        file[at] = (file[at] ?? 0) | (indexOf(color) << (8 - bits - ((x * bits) % 8)))
      }
    }
  }
  return file
}
