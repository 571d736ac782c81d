import { drawClip } from './draw-clip.ts'

/** Returns an MP4 with a box of no meaning at its end, so that it has the wanted size in bytes. */
export async function paddedClip(
  bytes: number,
  clip?: Parameters<typeof drawClip>[0],
): Promise<Buffer<ArrayBuffer>> {
  const drawn = await drawClip(clip)
  const padded = Buffer.alloc(bytes)
  padded.set(drawn)
  padded.writeUInt32BE(bytes - drawn.length, drawn.length)
  padded.write('free', drawn.length + 4, 'latin1')
  // Different from place to place, so that a lost or repeated piece is noticed.
  for (let at = drawn.length + 8; at < bytes - 4; at += 4096) padded.writeUInt32BE(at, at)
  return padded
}
