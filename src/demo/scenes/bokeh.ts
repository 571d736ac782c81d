import { cloudAt, softStep } from '#demo/noise.ts'
import { blend, type Color, glow, tint } from '#demo/palette.ts'
import type { Scene } from '#demo/scene.ts'

/** Lights out of focus. */
export const bokeh: Scene = ({ aspect, palette, random }) => {
  const hues: [Color, ...Color[]] = [palette.accent, palette.light, palette.horizon, palette.far]
  const lights = Array.from({ length: random.integer(18, 34) }, () => ({
    x: random.between(-0.1, aspect + 0.1),
    y: random.between(0, 1.05),
    radius: random.between(0.02, 0.13),
    strength: random.between(0.12, 0.5),
    hue: random.pick(hues),
  }))
  const shift = random.next()
  return (x, y, out) => {
    blend(out, palette.near, palette.skyTop, softStep(0.1, 1.2, y + cloudAt(x * 0.2, shift) * 0.5))
    tint(out, palette.far, 0.35 * cloudAt(x * 0.18 + shift, y * 0.18))
    for (const light of lights) {
      const offX = x - light.x
      const offY = y - light.y
      const distance = Math.sqrt(offX * offX + offY * offY) / light.radius
      if (distance > 1.08) continue
      const rim = 0.7 + 0.5 * softStep(0.6, 1, distance)
      glow(out, light.hue, light.strength * rim * (1 - softStep(0.94, 1.08, distance)))
    }
  }
}
