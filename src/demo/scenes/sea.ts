import { cloudAt, softStep } from '#demo/noise.ts'
import { blend, tint } from '#demo/palette.ts'
import type { Scene } from '#demo/scene.ts'
import { sky } from './sky.ts'

/** Open water under the sky, with a path of light on it and sometimes a headland. */
export const sea: Scene = (frame) => {
  const { aspect, pixel, palette, random } = frame
  const sunX = random.between(0.25, 0.75) * aspect
  const behind = sky(frame, sunX)
  const waterline = random.between(0.5, 0.64)
  const shift = random.next()
  const side = random.isLikely(0.5) ? 1 : -1
  const headland = random.isLikely(0.6) ? random.between(0.12, 0.24) : 0
  return (x, y, out) => {
    if (y < waterline) {
      behind(x, y, out)
      if (headland === 0) return
      const reach = side > 0 ? x / aspect : 1 - x / aspect
      const rise = softStep(0.42, 1, reach) * headland * (0.5 + cloudAt(x * 0.5 + shift, shift))
      const distance = y - (waterline - rise)
      if (distance > -pixel && rise > 0.002) {
        tint(out, palette.near, 0.85 * softStep(-pixel, pixel, distance))
      }
      return
    }
    const depth = (y - waterline) / (1 - waterline)
    const scale = 1 / (0.06 + depth)
    const swell = cloudAt(x * 0.35 * scale + shift, depth * 3.2 + shift * 3)
    const chop = cloudAt(x * 1.1 * scale, Math.sqrt(depth) * 9 + shift)
    blend(out, palette.far, palette.skyTop, softStep(0, 0.5, depth))
    tint(out, palette.near, 0.25 * depth + Math.max(0, swell - 0.5) * 1.1)
    tint(out, palette.horizon, 0.5 * (1 - softStep(0, 0.35, depth)))
    const width = 0.05 + depth * 0.32
    const onPath = Math.exp(-(((x - sunX) / width) ** 2))
    tint(out, palette.light, onPath * softStep(0.42, 0.62, chop) * 0.85)
    tint(out, palette.light, softStep(0.66, 0.74, chop) * 0.3)
  }
}
