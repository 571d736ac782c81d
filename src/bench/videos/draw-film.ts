import { randomBytes } from 'node:crypto'
import sharp from 'sharp'
import { drawPicture } from '#demo/draw-picture.ts'
import { drawClip } from '#testing/library/draw-clip.ts'

const FPS = 30
const SECONDS = 10
const [WIDTH, HEIGHT] = [1920, 1080]
const FILM_BYTES = 5_000_000

/** Pixels by which the picture moves from one frame to the next. */
const STEP_PX = 2

/** Rows at the lower edge with noise, which gives the encoder work for all its bits. */
const NOISE_ROWS = 120

/** Draws a picture as the pixels of a frame. */
export const drawFrame = async (
  seed: number,
  size: { widthPx: number; heightPx: number },
): Promise<{ file: Buffer; pixels: Buffer }> => {
  const { bytes } = await drawPicture({ seed, kind: 'invokeai', ...size })
  return { file: bytes, pixels: await sharp(bytes).ensureAlpha().raw().toBuffer() }
}

/** Encodes 10 s of 1080p H.264 of 5 MB, with a frame each 2 s that needs no other: a picture that pans, and noise. */
export const drawFilm = async (seed: number): Promise<Buffer<ArrayBuffer>> => {
  const wide = WIDTH + STEP_PX * FPS * SECONDS
  const { pixels } = await drawFrame(seed, { widthPx: wide, heightPx: HEIGHT })
  const noise = randomBytes(4 * WIDTH * (NOISE_ROWS + 64))
  const frame = Buffer.alloc(4 * WIDTH * HEIGHT)
  const draw = (at: number) => {
    for (let row = 0; row < HEIGHT; row += 1) {
      const from = 4 * (row * wide + STEP_PX * at)
      pixels.copy(frame, 4 * row * WIDTH, from, from + 4 * WIDTH)
    }
    const skipped = 4 * WIDTH * ((at * 7) % 64) + 4 * ((at * 131) % WIDTH)
    noise.copy(frame, 4 * WIDTH * (HEIGHT - NOISE_ROWS), skipped, skipped + 4 * WIDTH * NOISE_ROWS)
    return frame
  }
  const film = await drawClip({
    ...{ width: WIDTH, height: HEIGHT, fps: FPS, frames: FPS * SECONDS },
    ...{ bitrate: (7.5 * FILM_BYTES) / SECONDS, keyFrameIntervalS: 2, draw },
  })
  if (film.length > FILM_BYTES - 16) throw new Error(`The film has ${film.length} bytes.`)
  return Buffer.concat([film, freeBox(FILM_BYTES - film.length)])
}

/** Returns a box that players skip. At the end of a film, it makes the file a different one. */
export const freeBox = (bytes: number, content = ''): Buffer<ArrayBuffer> => {
  const box = Buffer.alloc(bytes)
  box.writeUInt32BE(bytes)
  box.write('free', 4)
  box.write(content, 8)
  return box
}
