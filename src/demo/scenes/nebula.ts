import { cellValue, cloudAt, softStep } from '#demo/noise.ts'
import { blend, glow, tint } from '#demo/palette.ts'
import type { Scene } from '#demo/scene.ts'

/** Gas and stars. */
export const nebula: Scene = ({ palette, random }) => {
  const shift = random.next()
  const warp = random.between(0.15, 0.45)
  const zoom = random.between(0.22, 0.42)
  const salt = random.integer(1, 9999)
  return (x, y, out) => {
    const bendX = cloudAt(x * zoom + shift, y * zoom)
    const bendY = cloudAt(x * zoom, y * zoom + shift + 0.4)
    const gas = cloudAt(x * zoom + bendX * warp, y * zoom + bendY * warp + shift)
    const dust = cloudAt(x * zoom * 1.8 - bendY * warp, y * zoom * 1.8 + bendX * warp)
    blend(out, palette.near, palette.skyTop, softStep(0.3, 0.6, gas))
    tint(out, palette.accent, softStep(0.45, 0.78, gas) * 0.75)
    tint(out, palette.horizon, softStep(0.5, 0.8, bendX) * 0.6)
    tint(out, palette.light, softStep(0.58, 0.85, gas * 0.6 + bendY * 0.45) * 0.7)
    tint(out, palette.near, softStep(0.5, 0.72, dust) * 0.75)
    for (const density of [38, 110]) {
      const column = Math.floor(x * density)
      const row = Math.floor(y * density)
      const chance = cellValue(column, row, salt + density)
      if (chance < 0.94) continue
      const offX = x * density - column - 0.5
      const offY = y * density - row - 0.5
      const spark = Math.max(0, 1 - (offX * offX + offY * offY) * 8) ** 2
      glow(out, palette.light, spark * (chance - 0.94) * 16)
    }
  }
}
