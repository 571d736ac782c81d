import Type from 'typebox'
import { BoundingBoxField, ImageField } from '#contract/graph.ts'
import { definePictureNode } from '#server/engine/define-node.ts'
import { areaOf } from '#server/engine/pictures/area-of.ts'
import { checkSize } from '#server/engine/pictures/check-size.ts'
import { type Area, crop } from '#server/engine/pictures/crop.ts'
import { bandsOf, hasAlpha, type Picture } from '#server/engine/pictures/picture.ts'
import { areaOfBox, boxInputFault } from './box.ts'

/** The pixels that are not transparent or, without an alpha, not black; all, where there are none. */
const visibleArea = async (picture: Picture, signal: AbortSignal): Promise<Area> => {
  const { data, width, height } = picture
  const bands = bandsOf[picture.mode]
  const first = hasAlpha(picture) ? bands - 1 : 0
  const isVisible = (pixel: number) => {
    for (let band = first; band < bands; band++) if (data[pixel * bands + band] !== 0) return true
    return false
  }
  return (await areaOf(picture, isVisible, signal)) ?? { left: 0, top: 0, width, height }
}

/** A box of an image, without its right and lower edge; the mode stays (wire 9.5). */
export const cropToBox = definePictureNode({
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
  run: async ({ image, bounding_box: box }, { readPicture, maxPixels, signal }) => {
    const picture = await readPicture(image)
    const area = box === null ? await visibleArea(picture, signal) : areaOfBox(box)
    checkSize(area.width, area.height, maxPixels)
    return crop(picture, area)
  },
})
