import Type from 'typebox'
import { BoundingBoxField, ColorField, ImageField } from '#contract/queue/graph.ts'
import { defineNode, definePictureNode, type NodeDefinition } from '#server/engine/define-node.ts'
import { NodeFault } from '#server/engine/node-fault.ts'
import { boxFault } from '#server/engine/nodes/constants.ts'
import { boundingBoxOutput } from '#server/engine/nodes/value-outputs.ts'
import { alphaComposite, withAlphaOf } from '#server/engine/pictures/blend.ts'
import { type Area, areaOf, crop, place } from '#server/engine/pictures/crop.ts'
import {
  bandsOf,
  checkSize,
  filledPicture,
  hasAlpha,
  isBytePicture,
  type Picture,
} from '#server/engine/pictures/picture.ts'
import { colorMap } from './color-map.ts'
import { cannyEdgeDetection, maskEdge } from './edges.ts'
import { expandMaskWithFade } from './fade.ts'
import { inverted, maskCombine, maskFromId, toMask } from './make-mask.ts'

/** Returns the area of pixels that are not transparent or, without alpha, not black: the whole picture if none are. */
const visibleArea = async (picture: Picture): Promise<Area> => {
  const { data, width, height } = picture
  const bands = bandsOf[picture.mode]
  const first = hasAlpha(picture) ? bands - 1 : 0
  const isVisible = (pixel: number) => {
    for (let band = first; band < bands; band++) if (data[pixel * bands + band] !== 0) return true
    return false
  }
  return (await areaOf(picture, isVisible)) ?? { left: 0, top: 0, width, height }
}

/** Crops an image to a box without its right and lower edge. The mode does not change. */
const cropToBox = definePictureNode({
  type: 'crop_image_to_bounding_box',
  summary: 'Crops an image to a box, or to what is visible',
  inputs: {
    image: ImageField,
    bounding_box: Type.Union([BoundingBoxField, Type.Null()], {
      default: null,
      description: 'None: crop to what is neither transparent nor, without an alpha, black',
    }),
  },
  check: ({ bounding_box }) => boxInputFault(bounding_box),
  run: async ({ image, bounding_box: box }, { readPicture, maxPixels }) => {
    const picture = await readPicture(image)
    const area = box === null ? await visibleArea(picture) : areaOfBox(box)
    checkSize(area.width, area.height, maxPixels)
    return crop(picture, area)
  },
})

/** Finds the box around all pixels of a color. Apart from the margin, its edges contain such pixels. */
const findBox = defineNode({
  type: 'get_image_mask_bounding_box',
  summary: 'Finds the box around the pixels of a colour',
  inputs: {
    mask: ImageField,
    margin: Type.Integer({ default: 0, description: 'Pixels added on each side' }),
    mask_color: Type.Object(ColorField.properties, { default: { r: 255, g: 255, b: 255, a: 255 } }),
  },
  output: boundingBoxOutput,
  run: async ({ mask, margin, mask_color: { r, g, b, a } }, { readAs }) => {
    const picture = await readAs(mask, 'RGBA')
    const { data, width, height } = picture
    const isOfColor = (pixel: number) =>
      data[pixel * 4] === r &&
      data[pixel * 4 + 1] === g &&
      data[pixel * 4 + 2] === b &&
      data[pixel * 4 + 3] === a
    const area = await areaOf(picture, isOfColor)
    const box = { x_min: 0, x_max: 0, y_min: 0, y_max: 0, score: null }
    if (area === null) return { bounding_box: box }
    box.x_min = Math.max(0, area.left - margin)
    box.y_min = Math.max(0, area.top - margin)
    box.x_max = Math.min(width, area.left + area.width - 1 + margin)
    box.y_max = Math.min(height, area.top + area.height - 1 + margin)
    const message = boxFault(box)
    if (message !== null) throw new NodeFault(message)
    return { bounding_box: box }
  },
})

/** Replaces the alpha of an image with the gray of a mask: black becomes transparent. */
const applyMask = definePictureNode({
  type: 'apply_mask_to_image',
  summary: 'Makes an image transparent where a mask is black',
  inputs: {
    image: ImageField,
    mask: ImageField,
    invert_mask: Type.Boolean({ default: false, description: 'Transparent where it is white' }),
  },
  run: async ({ image, mask, invert_mask }, { readAs }) => {
    const picture = await readAs(image, 'RGBA')
    const gray = await readAs(mask, 'L')
    if (gray.width !== picture.width || gray.height !== picture.height) {
      throw new NodeFault('size mismatch')
    }
    return withAlphaOf(picture, invert_mask ? await inverted(gray) : gray)
  },
})

/**
 * Composites an image over a box of another, as RGBA in the size of the target. Translucent pixels blend with the
 * target, which remains opaque. InvokeAI reduces the target's alpha.
 */
const pasteIntoBox = definePictureNode({
  type: 'paste_image_into_bounding_box',
  summary: 'Pastes an image into a box of another',
  inputs: { source_image: ImageField, target_image: ImageField, bounding_box: BoundingBoxField },
  check: ({ bounding_box }) => boxInputFault(bounding_box),
  run: async ({ source_image, target_image, bounding_box }, { readAs }) => {
    const source = await readAs(source_image, 'RGBA')
    const target = await readAs(target_image, 'RGBA')
    const area = areaOfBox(bounding_box)
    if (source.width !== area.width || source.height !== area.height) {
      throw new NodeFault('images do not match')
    }
    const covered = await alphaComposite(crop(target, area), source)
    const pasted = { ...target, data: target.data.slice() }
    place(pasted, covered, area.left, area.top)
    return pasted
  },
})

/**
 * Composites an image over a color, so that no pixel remains transparent. InvokeAI retains part of the transparency
 * of translucent pixels. An image that is not RGBA is output unchanged.
 */
const infillRgba = definePictureNode({
  type: 'infill_rgba',
  summary: 'Fills what is transparent with a colour',
  differs: 'nothing stays transparent, while InvokeAI keeps some of what was half transparent.',
  inputs: {
    image: ImageField,
    color: Type.Object(ColorField.properties, { default: { r: 127, g: 127, b: 127, a: 255 } }),
  },
  run: async ({ image, color: { r, g, b, a } }, { readPicture, imageRecord }) => {
    const picture = await readPicture(image)
    if (picture.mode !== 'RGBA' || !isBytePicture(picture)) return imageRecord(image)
    return alphaComposite(filledPicture('RGBA', picture, [r, g, b, a]), picture)
  },
})

export const maskNodes: readonly NodeDefinition[] = [
  cropToBox,
  pasteIntoBox,
  findBox,
  toMask,
  maskCombine,
  maskFromId,
  applyMask,
  infillRgba,
  expandMaskWithFade,
  maskEdge,
  cannyEdgeDetection,
  colorMap,
]

/** Returns the fault for the input `bounding_box`. The box is null until its edge provides it. */
const boxInputFault = (box: BoundingBoxField | null) => {
  const message = box === null ? null : boxFault(box)
  return message === null ? null : { field: 'bounding_box', message }
}

/** Converts a box to an area. The right and lower edge are exclusive. */
const areaOfBox = ({ x_min, x_max, y_min, y_max }: BoundingBoxField): Area => ({
  left: x_min,
  top: y_min,
  width: x_max - x_min,
  height: y_max - y_min,
})
