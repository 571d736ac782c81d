import { cloudAt, mix, softStep } from '#demo/noise.ts'
import { blend, type Color, tint } from '#demo/palette.ts'
import type { Scene } from '#demo/scene.ts'
import { sky } from './sky.ts'

/** Long waves of sand, lit from one side. */
export const dunes: Scene = (frame) => {
  const { pixel, palette, random } = frame
  const behind = sky(frame)
  const waveCount = random.integer(4, 7)
  const waves = Array.from({ length: waveCount }, (_, index) => ({
    crest: mix(random.between(0.42, 0.5), 0.92, index / waveCount),
    swing: random.between(0.02, 0.08),
    pace: random.between(1.4, 4.2),
    phase: random.between(0, 6.28),
    lean: random.between(-0.08, 0.08),
    nearness: index / waveCount,
  }))
  const sand: Color = [0, 0, 0]
  return (x, y, out) => {
    behind(x, y, out)
    for (const wave of waves) {
      const bend = Math.sin(x * wave.pace + wave.phase)
      const top = wave.crest + bend * wave.swing + wave.lean * (x - 0.5)
      if (y < top - pixel) continue
      const lit = 0.5 + 0.5 * Math.cos(x * wave.pace + wave.phase + (y - top) * 5)
      blend(sand, palette.near, palette.far, 0.25 + 0.6 * lit)
      tint(sand, palette.light, 0.35 * lit * lit * (1 - softStep(0, 0.25, y - top)))
      const ripples = Math.sin((y - top) * 330 + cloudAt(x * 0.6, y) * 26 + x * 9)
      tint(sand, palette.near, 0.05 + 0.05 * ripples * wave.nearness)
      tint(sand, palette.horizon, 0.35 * (1 - wave.nearness))
      tint(out, sand, softStep(-pixel, pixel, y - top))
    }
  }
}
