import { cellValue, cloudAt, softStep } from '#demo/noise.ts'
import { blend, type Color, shade, tint } from '#demo/palette.ts'
import type { Scene } from '#demo/scene.ts'

/** A poster of quarter circles, discs and stripes on a grid. */
export const shapes: Scene = ({ pixel, palette, random }) => {
  const cells = random.integer(3, 6)
  const salt = random.integer(1, 9999)
  const hues: [Color, ...Color[]] = [
    palette.skyTop,
    palette.horizon,
    palette.accent,
    palette.far,
    palette.near,
    palette.light,
  ]
  const edge = pixel * cells * 1.2
  const hueAt = (value: number): Color => hues[Math.floor(value * hues.length)] ?? palette.light
  return (x, y, out) => {
    const column = Math.floor(x * cells)
    const row = Math.floor(y * cells)
    const kind = cellValue(column, row, salt)
    const ground = hueAt(cellValue(column, row, salt + 1))
    const figure = hueAt((cellValue(column, row, salt + 1) + 0.17 + kind * 0.6) % 1)
    const corner = Math.floor(kind * 400) % 4
    const acrossX = x * cells - column
    const acrossY = y * cells - row
    const along = corner % 2 === 0 ? acrossX : 1 - acrossX
    const down = corner < 2 ? acrossY : 1 - acrossY
    blend(out, ground, ground, 0)
    if (kind < 0.45) {
      const distance = Math.hypot(along, down)
      tint(out, figure, 1 - softStep(1 - edge, 1, distance))
      tint(out, ground, 1 - softStep(0.5 - edge, 0.5, distance))
    } else if (kind < 0.7) {
      tint(out, figure, 1 - softStep(0.38 - edge, 0.38, Math.hypot(along - 0.5, down - 0.5)))
    } else if (kind < 0.85) {
      tint(out, figure, softStep(-edge, edge, along - down))
    } else {
      tint(out, figure, softStep(0.5 - edge * 4, 0.5 + edge * 4, (down * 4) % 1))
    }
    shade(out, 0.93 + 0.14 * cloudAt(x * 2.3, y * 2.3))
  }
}
