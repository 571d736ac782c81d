import type { Color, Palette } from './palette.ts'
import type { SeededRandom } from './seeded-random.ts'

/**
 * Colours one point of a picture. `y` runs from 0 at the top to 1 at the bottom, `x` from 0 to the
 * picture's width divided by its height.
 */
export type Shader = (x: number, y: number, out: Color) => void

/** What a scene is given. `pixel` is the size of one pixel in the shader's units, for soft edges. */
export interface SceneFrame {
  aspect: number
  pixel: number
  palette: Palette
  random: SeededRandom
}

/** Something that can be painted, chosen anew in every detail by `random`. */
export type Scene = (frame: SceneFrame) => Shader
