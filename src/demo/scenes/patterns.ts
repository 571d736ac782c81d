import { cellValue, cloudAt, softStep } from '#demo/noise.ts'
import { blend, type Color, glow, shade, tint } from '#demo/palette.ts'
import type { Scene } from '#demo/scene.ts'

/** Poured ink with folded colors and fine bright veins. */
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

/** Lights out of focus. */
export const bokeh: Scene = ({ aspect, palette, random }) => {
  const hues: [Color, ...Color[]] = [palette.accent, palette.light, palette.horizon, palette.far]
  const lights = Array.from({ length: random.integer(18, 34) }, () => ({
    x: random.between(-0.1, aspect + 0.1),
    y: random.between(0, 1.05),
    radius: random.between(0.02, 0.13),
    strength: random.between(0.12, 0.5),
    hue: random.pick(hues),
  }))
  const shift = random.next()
  return (x, y, out) => {
    blend(out, palette.near, palette.skyTop, softStep(0.1, 1.2, y + cloudAt(x * 0.2, shift) * 0.5))
    tint(out, palette.far, 0.35 * cloudAt(x * 0.18 + shift, y * 0.18))
    for (const light of lights) {
      const offX = x - light.x
      const offY = y - light.y
      const distance = Math.sqrt(offX * offX + offY * offY) / light.radius
      if (distance > 1.08) continue
      const rim = 0.7 + 0.5 * softStep(0.6, 1, distance)
      glow(out, light.hue, light.strength * rim * (1 - softStep(0.94, 1.08, distance)))
    }
  }
}

/** Stained glass with uneven panes, brighter around a light. */
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

/** A nebula with stars. */
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
