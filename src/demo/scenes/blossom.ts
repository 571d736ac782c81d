import { cloudAt, mix, softStep } from '#demo/noise.ts'
import { blend, type Color, shade, tint } from '#demo/palette.ts'
import type { Scene } from '#demo/scene.ts'

/** A large flower and several smaller ones on a blurred background. */
export const blossom: Scene = ({ aspect, pixel, palette, random }) => {
  const shift = random.next()
  const flowerCount = random.integer(3, 6)
  const flowers = Array.from({ length: flowerCount }, (_, index) => {
    const isFirst = index === flowerCount - 1
    return {
      x: aspect * (isFirst ? random.between(0.35, 0.65) : random.between(0.05, 0.95)),
      y: isFirst ? random.between(0.38, 0.6) : random.between(0.1, 0.9),
      radius: isFirst ? random.between(0.3, 0.42) : random.between(0.12, 0.24),
      petals: random.integer(5, 11),
      turn: random.between(0, 6.28),
      blur: isFirst ? pixel * 2 : random.between(0.01, 0.04),
    }
  })
  const petal: Color = [0, 0, 0]
  return (x, y, out) => {
    blend(
      out,
      palette.far,
      palette.near,
      softStep(0, 1, y * 0.6 + cloudAt(x * 0.2, y * 0.2 + shift) * 0.6),
    )
    tint(out, palette.skyTop, 0.4 * cloudAt(x * 0.15 + shift, y * 0.15))
    for (const { x: centerX, y: centerY, radius, petals, turn, blur } of flowers) {
      const distance = Math.hypot(x - centerX, y - centerY)
      if (distance > radius * 1.1) continue
      const angle = Math.atan2(y - centerY, x - centerX)
      for (let layer = 0; layer < 3; layer++) {
        const size = radius * mix(1, 0.5, layer / 2)
        const wave = Math.abs(Math.cos(((angle + turn + layer * 0.4) * petals) / 2))
        const reach = size * (0.55 + 0.45 * Math.sqrt(wave))
        const cover = 1 - softStep(reach - blur, reach + blur, distance)
        if (cover === 0) continue
        blend(petal, palette.accent, palette.light, 0.15 + layer * 0.22)
        tint(petal, palette.horizon, softStep(0.3, 1, distance / size) * 0.55)
        shade(petal, 0.62 + 0.42 * wave - 0.18 * (1 - softStep(0, 0.5, distance / size)))
        tint(out, petal, cover)
      }
      const heart = 1 - softStep(radius * 0.13 - blur, radius * 0.13 + blur, distance)
      blend(petal, palette.near, palette.light, cloudAt(x * 6, y * 6))
      tint(out, petal, heart)
    }
  }
}
