import sharp, { type Sharp } from 'sharp'
import type { FakeNode } from './graph.ts'

type Draw = (png: Buffer, node: FakeNode) => Promise<Buffer>

const asPng = (picture: Sharp): Promise<Buffer> => picture.png().toBuffer()

/** Tests need the size and mode of an image, not its content. */
const blur: Draw = (png) => asPng(sharp(png).blur(8))

const resize: Draw = (png, { width, height }) =>
  asPng(sharp(png).resize({ width: Number(width), height: Number(height), fit: 'fill' }))

/** Truncates sizes instead of rounding them. */
const scale: Draw = async (png, { scale_factor }) => {
  const { width, height } = await sharp(png).metadata()
  const side = (px: number) => Math.max(1, Math.trunc(px * Number(scale_factor)))
  return asPng(sharp(png).resize({ width: side(width), height: side(height), fit: 'fill' }))
}

/** The box may extend beyond the image, where the result is transparent. */
const crop: Draw = async (png, node) => {
  const [x, y, width, height] = [node.x, node.y, node.width, node.height].map(Number)
  if (x === undefined || y === undefined || width === undefined || height === undefined) return png
  const from = await sharp(png).metadata()
  const left = Math.max(0, x)
  const top = Math.max(0, y)
  const seen = {
    left,
    top,
    width: Math.min(from.width, x + width) - left,
    height: Math.min(from.height, y + height) - top,
  }
  const background = { r: 0, g: 0, b: 0, alpha: 0 }
  const canvas = sharp({ create: { width, height, channels: 4, background } })
  if (seen.width <= 0 || seen.height <= 0) return asPng(canvas)
  const input = await asPng(sharp(png).extract(seen))
  return asPng(canvas.composite([{ input, left: left - x, top: top - y }]))
}

const sharpen: Draw = (png) => asPng(sharp(png).sharpen())

const enhance: Draw = (png, { brightness, color, contrast, invert }) => {
  const factor = Number(contrast)
  const picture = sharp(png)
    .modulate({ brightness: Number(brightness), saturation: Number(color) })
    .linear(factor, 128 * (1 - factor))
  return asPng(invert === true ? picture.negate({ alpha: false }) : picture)
}

const convert: Draw = (png, { mode }) => {
  if (mode === 'L') return asPng(sharp(png).removeAlpha().toColourspace('b-w'))
  return asPng(mode === 'RGBA' ? sharp(png).ensureAlpha() : sharp(png).removeAlpha())
}

/** Uses the last channel, whatever it is. */
const toMask: Draw = async (png, { invert }) => {
  const { channels } = await sharp(png).metadata()
  const mask = sharp(png).extractChannel((channels - 1) as 0 | 1 | 2 | 3)
  return asPng(invert === true ? mask.negate() : mask)
}

/** White where a pixel is similar to the color. */
const maskFromId: Draw = async (png, { color, threshold, invert }) => {
  const { r, g, b, a } = color as { r: number; g: number; b: number; a: number }
  const { data, info } = await sharp(png).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  const { width, height } = info
  const mask = Buffer.alloc(width * height)
  for (let at = 0; at < mask.length; at++) {
    const distance = Math.hypot(
      ...[r, g, b, a].map((wanted, channel) => (data[4 * at + channel] ?? 0) - wanted),
    )
    const isNear = distance < Number(threshold)
    mask[at] = isNear === (invert !== true) ? 255 : 0
  }
  return asPng(sharp(mask, { raw: { width, height, channels: 1 } }))
}

const draws: Readonly<Record<string, Draw>> = {
  img_blur: blur,
  img_resize: resize,
  img_scale: scale,
  img_crop: crop,
  unsharp_mask: sharpen,
  invokeai_img_enhance: enhance,
  img_conv: convert,
  tomask: toMask,
  mask_from_id: maskFromId,
}

/** Applies a node to the pixels of an image. Nodes that do not change pixels return them unchanged. */
export const pixelsOf: Draw = async (png, node) => (await draws[node.type]?.(png, node)) ?? png
