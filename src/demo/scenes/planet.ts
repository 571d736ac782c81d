import { cellValue, cloudAt, softStep } from '#demo/noise.ts'
import { blend, type Color, glow, shade, tint } from '#demo/palette.ts'
import type { Scene } from '#demo/scene.ts'

/** A planet with bands or continents, lit from one side, sometimes with a ring. */
export const planet: Scene = ({ aspect, pixel, palette, random }) => {
  const radius = random.between(0.24, 0.38)
  const centerX = random.between(0.35, 0.65) * aspect
  const centerY = random.between(0.4, 0.6)
  const lightAngle = random.between(-0.9, 0.9) + (random.isLikely(0.5) ? 0 : Math.PI)
  const lightX = Math.cos(lightAngle) * 0.8
  const lightY = Math.sin(lightAngle) * 0.8
  const isBanded = random.isLikely(0.5)
  const ringTilt = random.isLikely(0.55) ? random.between(0.18, 0.36) : 0
  const shift = random.next()
  const salt = random.integer(1, 9999)
  const ground: Color = [0, 0, 0]

  const ringAt = (offX: number, offY: number): number => {
    if (ringTilt === 0) return 0
    const distance = Math.hypot(offX, offY / ringTilt) / radius
    if (distance < 1.3 || distance > 2.15) return 0
    const edge = softStep(1.3, 1.36, distance) * (1 - softStep(2.05, 2.15, distance))
    return edge * (0.35 + 0.6 * cloudAt(distance * 0.9, shift))
  }
  return (x, y, out) => {
    blend(out, palette.near, palette.skyTop, cloudAt(x * 0.25 + shift, y * 0.25) ** 2 * 0.9)
    const column = Math.floor(x * 70)
    const row = Math.floor(y * 70)
    if (cellValue(column, row, salt) > 0.965) {
      const spark = 1 - ((x * 70 - column - 0.5) ** 2 + (y * 70 - row - 0.5) ** 2) * 14
      glow(out, palette.light, Math.max(0, spark) * 0.8)
    }
    const offX = x - centerX
    const offY = y - centerY
    const reach = Math.hypot(offX, offY) / radius
    glow(out, palette.accent, 0.22 * Math.exp(-Math.max(0, reach - 1) * 9))
    if (reach < 1 + pixel * 4) {
      const sphereX = offX / radius
      const sphereY = offY / radius
      const sphereZ = Math.sqrt(Math.max(0, 1 - reach * reach))
      const around = Math.atan2(sphereX, sphereZ + 0.001) * 0.22 + shift
      const land = cloudAt(around + 0.08 * cloudAt(around, sphereY), sphereY * 0.3)
      const bands = cloudAt(shift + land * 0.05, sphereY * 0.42 + land * 0.06)
      blend(ground, palette.far, palette.horizon, softStep(0.35, 0.65, isBanded ? bands : land))
      tint(ground, palette.accent, softStep(0.55, 0.7, isBanded ? land : bands) * 0.55)
      const lit = sphereX * lightX + sphereY * lightY + sphereZ * 0.55
      shade(ground, 0.06 + 1.05 * softStep(-0.15, 0.95, lit))
      tint(ground, palette.light, softStep(0.75, 1, reach) * softStep(0, 0.8, lit) * 0.45)
      tint(out, ground, 1 - softStep(1 - pixel * 4, 1 + pixel * 4, reach))
    }
    const isBeforePlanet = offY > 0 || reach > 1
    if (isBeforePlanet) tint(out, palette.light, ringAt(offX, offY) * 0.8)
  }
}
