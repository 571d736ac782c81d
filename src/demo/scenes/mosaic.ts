import { cellValue, softStep } from '#demo/noise.ts'
import { blend, shade, tint } from '#demo/palette.ts'
import type { Scene } from '#demo/scene.ts'

/** Stained glass: uneven panes in leading, brighter towards a light behind them. */
export const mosaic: Scene = ({ aspect, palette, random }) => {
  const panes = random.between(6, 13)
  const salt = random.integer(1, 9999)
  const lightX = random.between(0.25, 0.75) * aspect
  const lightY = random.between(0.2, 0.7)
  return (x, y, out) => {
    const column = Math.floor(x * panes)
    const row = Math.floor(y * panes)
    let nearest = 9
    let second = 9
    let pane = 0
    for (let right = -1; right <= 1; right++) {
      for (let down = -1; down <= 1; down++) {
        const dot = cellValue(column + right, row + down, salt)
        const offX = x * panes - column - right - dot
        const offY = y * panes - row - down - cellValue(column + right, row + down, salt + 1)
        const distance = offX * offX + offY * offY
        if (distance < nearest) {
          second = nearest
          nearest = distance
          pane = dot
        } else if (distance < second) second = distance
      }
    }
    const height = softStep(-0.1, 1.1, y + (pane - 0.5) * 0.5)
    blend(out, palette.skyTop, palette.horizon, height)
    tint(out, pane > 0.7 ? palette.accent : palette.far, Math.abs(pane - 0.5) * 1.3)
    tint(out, palette.light, 0.55 * Math.exp(-Math.hypot(x - lightX, y - lightY) * 3))
    shade(out, 0.85 + 0.3 * pane)
    tint(out, palette.near, 1 - softStep(0.03, 0.09, Math.sqrt(second) - Math.sqrt(nearest)))
  }
}
