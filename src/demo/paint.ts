import { setImmediate } from 'node:timers/promises'
import type { Color, Palette } from './palette.ts'
import type { Scene } from './scene.ts'
import type { SeededRandom } from './seeded-random.ts'

/** Rows are painted this long before others get a turn: a server draws its demo library between requests. */
const TURN_MS = 8

/** Paints a scene: rows of red, green and blue bytes. */
export const paint = async (
  scene: Scene,
  picture: { widthPx: number; heightPx: number; palette: Palette; random: SeededRandom },
): Promise<Buffer> => {
  const { widthPx, heightPx, palette, random } = picture
  const pixel = 1 / heightPx
  const shader = scene({ aspect: widthPx / heightPx, pixel, palette, random })
  const pixels = Buffer.alloc(widthPx * heightPx * 3)
  const color: Color = [0, 0, 0]
  let at = 0
  let turnBegan = performance.now()
  for (let row = 0; row < heightPx; row++) {
    if (performance.now() - turnBegan > TURN_MS) {
      await setImmediate()
      turnBegan = performance.now()
    }
    const y = (row + 0.5) * pixel
    for (let column = 0; column < widthPx; column++) {
      const x = (column + 0.5) * pixel
      shader(x, y, color)
      // Darker corners, and half a step of dither against bands in the gradients.
      const vignette = 1 - 0.22 * ((column / widthPx - 0.5) ** 2 + (y - 0.5) ** 2)
      const dither = ((row * 7 + column * 13) & 7) / 8
      pixels[at++] = Math.min(255, Math.max(0, color[0] * vignette + dither))
      pixels[at++] = Math.min(255, Math.max(0, color[1] * vignette + dither))
      pixels[at++] = Math.min(255, Math.max(0, color[2] * vignette + dither))
    }
  }
  return pixels
}
