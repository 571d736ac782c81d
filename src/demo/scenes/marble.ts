import { cloudAt, softStep } from '#demo/noise.ts'
import { blend, tint } from '#demo/palette.ts'
import type { Scene } from '#demo/scene.ts'

/** Poured ink: colours that fold into one another, with fine bright veins. */
export const marble: Scene = ({ palette, random }) => {
  const zoom = random.between(0.14, 0.3)
  const fold = random.between(0.5, 1.1)
  const shift = random.next()
  const turn = random.between(0, 6.28)
  const cos = Math.cos(turn)
  const sin = Math.sin(turn)
  return (rawX, rawY, out) => {
    const x = (rawX * cos - rawY * sin) * zoom
    const y = (rawX * sin + rawY * cos) * zoom
    const first = cloudAt(x + shift, y)
    const second = cloudAt(x + first * fold, y + shift + first * fold * 0.6)
    const third = cloudAt(x - second * fold, y + second * fold)
    blend(out, palette.near, palette.far, softStep(0.2, 0.55, third))
    tint(out, palette.accent, softStep(0.42, 0.7, second))
    tint(out, palette.horizon, softStep(0.5, 0.75, third) * 0.9)
    const vein = Math.abs((((third + second * 0.6) * 9) % 1) - 0.5)
    tint(out, palette.light, (1 - softStep(0.02, 0.09, vein)) * 0.55)
    tint(out, palette.near, softStep(0.4, 0.5, vein) * 0.25)
  }
}
