import { cellValue, cloudAt, mix, softStep } from '#demo/noise.ts'
import { blend, type Color, glow, tint } from '#demo/palette.ts'
import type { Scene, SceneFrame, Shader } from '#demo/scene.ts'

/** Ridges in haze, often with a lake that mirrors them. */
export const mountains: Scene = (frame) => {
  const { pixel, palette, random } = frame
  const behind = sky(frame)
  const ridgeCount = random.integer(3, 6)
  const shore = random.isLikely(0.55) ? random.between(0.68, 0.82) : 2
  const foot = Math.min(shore, 1)
  const ridges = Array.from({ length: ridgeCount }, (_, index) => ({
    crest: mix(random.between(0.42, 0.5), foot - 0.06, index / ridgeCount),
    relief: mix(0.3, 0.1, index / ridgeCount),
    stretch: mix(0.3, 0.6, index / ridgeCount),
    shift: random.next(),
    nearness: (index + 0.6) / ridgeCount,
  }))
  const hill: Color = [0, 0, 0]
  const land = (x: number, y: number, out: Color) => {
    behind(x, y, out)
    for (const { crest, relief, stretch, shift, nearness } of ridges) {
      // Folding the noise at its middle value makes peaks.
      const height = 1 - Math.abs(cloudAt(x * stretch + shift, shift * 7) - 0.5) * 4
      const top = crest + (0.5 - height) * relief
      const depth = y - top
      if (depth < -pixel) continue
      blend(hill, palette.far, palette.near, nearness)
      const face = cloudAt(x * 0.9 + depth * 0.45 + shift, depth * 0.8 + shift)
      const other = cloudAt(x * 0.9 + depth * 0.45 + shift + 0.012, depth * 0.8 + shift)
      const isLit = softStep(-0.004, 0.03, face - other)
      tint(hill, palette.light, isLit * (0.55 - 0.4 * nearness) * Math.exp(-depth * 7))
      tint(hill, palette.near, (1 - isLit) * 0.3 * Math.exp(-depth * 4))
      tint(hill, palette.horizon, softStep(0.02, 0.34, depth) * 0.5 * (1.1 - nearness))
      tint(out, hill, softStep(-pixel, pixel, depth))
    }
  }
  return (x, y, out) => {
    if (y < shore) return land(x, y, out)
    const depth = y - shore
    const ripple = (cloudAt(x * 0.8, y * 9) - 0.5) * (0.01 + depth * 0.12)
    land(x + ripple, Math.max(0, shore - depth * 1.4 + ripple), out)
    tint(out, palette.skyTop, 0.18 + depth)
  }
}

/** Dunes lit from one side. */
export const dunes: Scene = (frame) => {
  const { pixel, palette, random } = frame
  const behind = sky(frame)
  const waveCount = random.integer(4, 7)
  const waves = Array.from({ length: waveCount }, (_, index) => ({
    crest: mix(random.between(0.42, 0.5), 0.92, index / waveCount),
    swing: random.between(0.02, 0.08),
    pace: random.between(1.4, 4.2),
    phase: random.between(0, 6.28),
    lean: random.between(-0.08, 0.08),
    nearness: index / waveCount,
  }))
  const sand: Color = [0, 0, 0]
  return (x, y, out) => {
    behind(x, y, out)
    for (const wave of waves) {
      const bend = Math.sin(x * wave.pace + wave.phase)
      const top = wave.crest + bend * wave.swing + wave.lean * (x - 0.5)
      if (y < top - pixel) continue
      const lit = 0.5 + 0.5 * Math.cos(x * wave.pace + wave.phase + (y - top) * 5)
      blend(sand, palette.near, palette.far, 0.25 + 0.6 * lit)
      tint(sand, palette.light, 0.35 * lit * lit * (1 - softStep(0, 0.25, y - top)))
      const ripples = Math.sin((y - top) * 330 + cloudAt(x * 0.6, y) * 26 + x * 9)
      tint(sand, palette.near, 0.05 + 0.05 * ripples * wave.nearness)
      tint(sand, palette.horizon, 0.35 * (1 - wave.nearness))
      tint(out, sand, softStep(-pixel, pixel, y - top))
    }
  }
}

/** Open water with a path of light, sometimes with a headland. */
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

/** A skyline in three depths with lit windows and haze. */
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
      const building = Math.floor(x / width)
      const value = cellValue(building, 7, salt + nearness * 10)
      const roof = base - rise * value * value
      const across = x / width - building
      const isSpire = value > 0.8 && Math.abs(across - 0.5) < 0.03 && y > roof - 0.07
      if (y < roof && !isSpire) continue
      blend(wall, palette.far, palette.near, 0.3 + nearness * 0.65)
      tint(wall, palette.horizon, softStep(0, 0.5, y - roof) * 0.4 + (1 - nearness) * 0.2)
      if (across < 0.06) tint(wall, palette.light, 0.14)
      const column = Math.floor(across * 9)
      const floor = Math.floor((y - roof) * (90 - nearness * 40))
      const inWindow = (across * 9) % 1 > 0.35 && ((y - roof) * (90 - nearness * 40)) % 1 > 0.45
      if (inWindow && floor > 0 && cellValue(building * 31 + column, floor, salt) > 0.62) {
        tint(wall, palette.accent, palette.isNight ? 0.85 : 0.4)
      }
      blend(out, wall, wall, 0)
    }
    tint(out, palette.horizon, softStep(0.6, 1.05, y) * 0.5 * cloudAt(x * 0.4, y * 0.5))
  }
}

/** The sky of other scenes: a gradient, clouds, a sun or moon, and stars at night. */
const sky = (
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
