import { cellValue, cloudAt, mix, softStep } from '#demo/noise.ts'
import { blend, type Color, tint } from '#demo/palette.ts'
import type { Scene } from '#demo/scene.ts'
import { sky } from './sky.ts'

/** A skyline in three depths, windows lit, haze between the streets. */
export const city: Scene = (frame) => {
  const { palette, random } = frame
  const behind = sky(frame)
  const salt = random.integer(1, 9999)
  const rows = [0, 0.5, 1].map((nearness) => ({
    nearness,
    width: mix(0.035, 0.11, nearness) * random.between(0.8, 1.3),
    base: mix(0.62, 0.78, nearness),
    rise: mix(0.34, 0.5, nearness),
  }))
  const wall: Color = [0, 0, 0]
  return (x, y, out) => {
    behind(x, y, out)
    for (const { nearness, width, base, rise } of rows) {
      const lot = Math.floor(x / width)
      const value = cellValue(lot, 7, salt + nearness * 10)
      const roof = base - rise * value * value
      const across = x / width - lot
      const isSpire = value > 0.8 && Math.abs(across - 0.5) < 0.03 && y > roof - 0.07
      if (y < roof && !isSpire) continue
      blend(wall, palette.far, palette.near, 0.3 + nearness * 0.65)
      tint(wall, palette.horizon, softStep(0, 0.5, y - roof) * 0.4 + (1 - nearness) * 0.2)
      if (across < 0.06) tint(wall, palette.light, 0.14)
      const column = Math.floor(across * 9)
      const floor = Math.floor((y - roof) * (90 - nearness * 40))
      const inWindow = (across * 9) % 1 > 0.35 && ((y - roof) * (90 - nearness * 40)) % 1 > 0.45
      if (inWindow && floor > 0 && cellValue(lot * 31 + column, floor, salt) > 0.62) {
        tint(wall, palette.accent, palette.isNight ? 0.85 : 0.4)
      }
      blend(out, wall, wall, 0)
    }
    tint(out, palette.horizon, softStep(0.6, 1.05, y) * 0.5 * cloudAt(x * 0.4, y * 0.5))
  }
}
