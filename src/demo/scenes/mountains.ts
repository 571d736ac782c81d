import { cloudAt, mix, softStep } from '#demo/noise.ts'
import { blend, type Color, tint } from '#demo/palette.ts'
import type { Scene } from '#demo/scene.ts'
import { sky } from './sky.ts'

/** Ridge behind ridge in the haze, and often a lake that mirrors them. */
export const mountains: Scene = (frame) => {
  const { pixel, palette, random } = frame
  const behind = sky(frame)
  const ridgeCount = random.integer(3, 6)
  const shore = random.isLikely(0.55) ? random.between(0.68, 0.82) : 2
  const foot = Math.min(shore, 1)
  const ridges = Array.from({ length: ridgeCount }, (_, index) => ({
    crest: mix(random.between(0.42, 0.5), foot - 0.06, index / ridgeCount),
    relief: mix(0.3, 0.1, index / ridgeCount),
    stretch: mix(0.3, 0.6, index / ridgeCount),
    shift: random.next(),
    nearness: (index + 0.6) / ridgeCount,
  }))
  const hill: Color = [0, 0, 0]
  const land = (x: number, y: number, out: Color) => {
    behind(x, y, out)
    for (const { crest, relief, stretch, shift, nearness } of ridges) {
      // Folding the noise at its middle makes peaks where it crosses.
      const height = 1 - Math.abs(cloudAt(x * stretch + shift, shift * 7) - 0.5) * 4
      const top = crest + (0.5 - height) * relief
      const depth = y - top
      if (depth < -pixel) continue
      blend(hill, palette.far, palette.near, nearness)
      const face = cloudAt(x * 0.9 + depth * 0.45 + shift, depth * 0.8 + shift)
      const other = cloudAt(x * 0.9 + depth * 0.45 + shift + 0.012, depth * 0.8 + shift)
      const isLit = softStep(-0.004, 0.03, face - other)
      tint(hill, palette.light, isLit * (0.55 - 0.4 * nearness) * Math.exp(-depth * 7))
      tint(hill, palette.near, (1 - isLit) * 0.3 * Math.exp(-depth * 4))
      tint(hill, palette.horizon, softStep(0.02, 0.34, depth) * 0.5 * (1.1 - nearness))
      tint(out, hill, softStep(-pixel, pixel, depth))
    }
  }
  return (x, y, out) => {
    if (y < shore) return land(x, y, out)
    const depth = y - shore
    const ripple = (cloudAt(x * 0.8, y * 9) - 0.5) * (0.01 + depth * 0.12)
    land(x + ripple, Math.max(0, shore - depth * 1.4 + ripple), out)
    tint(out, palette.skyTop, 0.18 + depth)
  }
}
