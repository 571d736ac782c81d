import { cellValue, cloudAt, mix, softStep } from '#demo/noise.ts'
import { blend, type Color, tint } from '#demo/palette.ts'
import type { Scene } from '#demo/scene.ts'

/** Rows of fir trees that fade into fog. */
export const forest: Scene = ({ aspect, pixel, palette, random }) => {
  const salt = random.integer(1, 9999)
  const rowCount = random.integer(4, 6)
  const lightX = random.between(0.2, 0.8) * aspect
  const shift = random.next()
  const rows = Array.from({ length: rowCount }, (_, index) => {
    const nearness = index / (rowCount - 1)
    return {
      nearness,
      spacing: mix(0.05, 0.2, nearness),
      height: mix(0.22, 0.72, nearness),
      ground: mix(0.56, 1.08, nearness),
    }
  })
  const tree: Color = [0, 0, 0]
  return (x, y, out) => {
    blend(out, palette.skyTop, palette.horizon, softStep(-0.2, 0.6, y))
    tint(out, palette.light, 0.65 * Math.exp(-((x - lightX) ** 2) * 5 - (y - 0.35) ** 2 * 6))
    for (const { nearness, spacing, height, ground } of rows) {
      const floor = ground + (cloudAt(x * 0.4 + shift, nearness) - 0.5) * 0.16
      let cover = softStep(-pixel, pixel, y - floor)
      const middle = Math.round(x / spacing)
      for (let trunk = middle - 1; trunk <= middle + 1; trunk++) {
        const value = cellValue(trunk, rowCount, salt + Math.round(nearness * 100))
        const tall = height * (0.6 + 0.5 * value)
        const center = (trunk + (value - 0.5) * 0.7) * spacing
        const fromTop = (y - (floor - tall)) / tall
        if (fromTop < 0 || fromTop > 1.1) continue
        const tooth = (fromTop * (9 + value * 5)) % 1
        const half = spacing * 0.46 * fromTop * (0.55 + 0.45 * tooth)
        cover = Math.max(cover, softStep(-pixel, pixel, half - Math.abs(x - center)))
      }
      if (cover === 0) continue
      blend(tree, palette.far, palette.near, 0.2 + nearness * 0.8)
      tint(tree, palette.horizon, (1 - nearness) * 0.5 + softStep(0.55, 1.1, y) * 0.25)
      tint(out, tree, cover)
    }
  }
}
