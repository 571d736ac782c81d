import { cellValue, cloudAt, softStep } from '#demo/noise.ts'
import { blend, glow, tint } from '#demo/palette.ts'
import type { SceneFrame, Shader } from '#demo/scene.ts'

/** The sky that other scenes stand before: a gradient, clouds, a sun or a moon, stars at night. */
export const sky = (
  { aspect, palette, random }: SceneFrame,
  sunX = random.between(0.2, 0.8) * aspect,
): Shader => {
  const sunY = random.between(0.16, 0.5)
  const sunRadius = random.between(0.035, 0.09)
  const shift = random.next()
  const cloudiness = random.between(0.1, 0.75)
  const salt = random.integer(1, 9999)
  return (x, y, out) => {
    blend(out, palette.skyTop, palette.horizon, softStep(-0.1, 0.75, y))
    if (palette.isNight) {
      const column = Math.floor(x * 130)
      const row = Math.floor(y * 130)
      const chance = cellValue(column, row, salt)
      if (chance > 0.985) {
        const offX = x * 130 - column - 0.5
        const offY = y * 130 - row - 0.5
        const spark = Math.max(0, 1 - (offX * offX + offY * offY) * 9)
        glow(out, palette.light, spark * (chance - 0.985) * 55 * (1 - y))
      }
    }
    const cloud = cloudAt(x * 0.35 + shift, y * 1.1 + shift)
    tint(out, palette.light, softStep(0.48, 0.85, cloud) * cloudiness)
    const distance = Math.hypot(x - sunX, y - sunY)
    glow(out, palette.light, 0.32 * Math.exp(-distance * 4.5))
    tint(out, palette.light, 1 - softStep(sunRadius, sunRadius + 0.008, distance))
  }
}
