/** Red, green and blue, 0 to 255 each. Shaders reuse one array, so that no pixel allocates memory. */
export type Color = [number, number, number]

/** The colors of a picture, and the words for its light in a prompt. */
export interface Palette {
  words: string
  isNight: boolean
  skyTop: Color
  horizon: Color
  light: Color
  far: Color
  near: Color
  accent: Color
}

const color = (hex: string): Color => [
  Number.parseInt(hex.slice(0, 2), 16),
  Number.parseInt(hex.slice(2, 4), 16),
  Number.parseInt(hex.slice(4, 6), 16),
]

const palette = (words: string, isNight: boolean, ...hexes: string[]): Palette => {
  const [skyTop = '', horizon = '', light = '', far = '', near = '', accent = ''] = hexes
  return {
    words,
    isNight,
    skyTop: color(skyTop),
    horizon: color(horizon),
    light: color(light),
    far: color(far),
    near: color(near),
    accent: color(accent),
  }
}

export const palettes: readonly [Palette, ...Palette[]] = [
  palette('golden hour', false, '3a5a9b', 'ffcf8f', 'fff3d0', 'c98f7c', '2b2138', 'ff9a4d'),
  palette('misty dawn', false, '7fa3c7', 'f7e3dc', 'fffaf0', 'aebfcf', '30485a', 'f2a5a0'),
  palette('blue hour', true, '0b1640', '5d7bc4', 'e8f0ff', '3c528f', '070b1f', 'ffb45e'),
  palette('crimson sunset', false, '2a1b4e', 'ff6f59', 'ffe29a', '9c3d5a', '1a0e26', 'ffd166'),
  palette('moonlit night', true, '050a1c', '24406e', 'f4f1de', '1c2d52', '03050d', '8ecae6'),
  palette('northern lights', true, '061222', '1f6f6b', 'd8fff0', '164a55', '030a10', '5ef2a6'),
  palette('soft overcast', false, 'a9b8c4', 'e6ebee', 'ffffff', '93a8a5', '33423f', 'd98c5f'),
  palette('spring morning', false, '59a9e0', 'e4f6e8', 'fffde0', '8fc79a', '1f4d3a', 'ff8fb1'),
  palette('desert heat', false, '4aa3c7', 'fbe3b5', 'fffbe6', 'e0a566', '7a3b2a', 'e4572e'),
  palette('neon dusk', true, '150734', 'd6409f', 'b8f3ff', '5b2a86', '0a0318', '21e6c1'),
  palette('violet haze', false, '3f2b73', 'e9b7dd', 'fff0fa', '8a63b0', '221437', 'ffc857'),
  palette('autumn light', false, '6c8ea0', 'f6d9a8', 'fff4d6', 'c2773c', '3a1f14', 'd7402b'),
]

/** Writes a mixture of two colors to `out`. */
export const blend = (out: Color, from: Color, to: Color, share: number): void => {
  out[0] = from[0] + (to[0] - from[0]) * share
  out[1] = from[1] + (to[1] - from[1]) * share
  out[2] = from[2] + (to[2] - from[2]) * share
}

/** Moves `out` towards a color. */
export const tint = (out: Color, towards: Color, share: number): void =>
  blend(out, out, towards, share)

/** Adds colored light to `out`. */
export const glow = (out: Color, light: Color, strength: number): void => {
  out[0] += light[0] * strength
  out[1] += light[1] * strength
  out[2] += light[2] * strength
}

/** Multiplies the brightness of `out`. */
export const shade = (out: Color, factor: number): void => {
  out[0] *= factor
  out[1] *= factor
  out[2] *= factor
}
