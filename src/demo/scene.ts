import type { Color, Palette } from './palette.ts'
import type { SeededRandom } from './seeded-random.ts'

/** Computes the color of a point. `y` runs from 0 at the top to 1, `x` from 0 to the aspect ratio (width / height). */
export type Shader = (x: number, y: number, out: Color) => void

/** Input of a scene. `pixel` is the size of a pixel in the shader's units, for soft edges. */
export interface SceneFrame {
  aspect: number
  pixel: number
  palette: Palette
  random: SeededRandom
}

/** Creates a shader. `random` determines all details. */
export type Scene = (frame: SceneFrame) => Shader
