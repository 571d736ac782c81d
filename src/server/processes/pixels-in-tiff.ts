const ROWS_PER_STRIP = 16
const HEADER_BYTES = 8
const TAG_BYTES = 12

const kinds = { short: 3, long: 4, undefined: 7 } as const

/**
 * Makes an uncompressed TIFF whose RGBA pixels are yet to be filled in. sharp reads no color profile beside raw pixels,
 * but it reads the one of a TIFF.
 */
export function makeTiff(
  width: number,
  height: number,
  profile: Buffer | undefined,
): { file: Buffer; pixels: Uint8ClampedArray } {
  const rowBytes = 4 * width
  const stripCount = Math.ceil(height / ROWS_PER_STRIP)
  const strips = Array.from({ length: stripCount }, (_, index) => index * ROWS_PER_STRIP)
  const depths = Buffer.from(Uint16Array.of(8, 8, 8, 8).buffer)
  const tagCount = profile === undefined ? 10 : 11
  const depthsAt = HEADER_BYTES + 2 + TAG_BYTES * tagCount + 4
  const offsetsAt = depthsAt + depths.length
  const countsAt = offsetsAt + 4 * stripCount
  const profileAt = countsAt + 4 * stripCount
  const pixelsAt = profileAt + (profile?.length ?? 0)
  const file = Buffer.alloc(pixelsAt + rowBytes * height)
  file.write('II*\0\x08\0\0\0', 'latin1')
  file.writeUInt16LE(tagCount, HEADER_BYTES)
  let at = HEADER_BYTES + 2
  const write = (tag: number, kind: keyof typeof kinds, count: number, value: number) => {
    file.writeUInt16LE(tag, at)
    file.writeUInt16LE(kinds[kind], at + 2)
    file.writeUInt32LE(count, at + 4)
    file.writeUInt32LE(value, at + 8)
    at += TAG_BYTES
  }
  // A single value is in its tag. Others are at an offset.
  const isSingle = stripCount === 1
  write(256, 'long', 1, width)
  write(257, 'long', 1, height)
  write(258, 'short', 4, depthsAt)
  write(259, 'short', 1, 1) // not compressed
  write(262, 'short', 1, 2) // RGB
  write(273, 'long', stripCount, isSingle ? pixelsAt : offsetsAt)
  write(277, 'short', 1, 4)
  write(278, 'long', 1, ROWS_PER_STRIP)
  write(279, 'long', stripCount, isSingle ? rowBytes * height : countsAt)
  write(338, 'short', 1, 2) // alpha, not premultiplied
  if (profile !== undefined) write(34_675, 'undefined', profile.length, profileAt)
  depths.copy(file, depthsAt)
  profile?.copy(file, profileAt)
  for (const [index, row] of strips.entries()) {
    const rows = Math.min(ROWS_PER_STRIP, height - row)
    file.writeUInt32LE(pixelsAt + rowBytes * row, offsetsAt + 4 * index)
    file.writeUInt32LE(rowBytes * rows, countsAt + 4 * index)
  }
  return { file, pixels: new Uint8ClampedArray(file.buffer, file.byteOffset + pixelsAt) }
}
