import type { BoundingBoxField } from '#contract/graph.ts'
import type { Area } from '#server/engine/pictures/crop.ts'

/** What is wrong with a box in itself, in the words of the node `bounding_box`. */
export const boxFault = ({ x_min, x_max, y_min, y_max }: BoundingBoxField): string | null => {
  if (x_min > x_max) return `x_min (${x_min}) is greater than x_max (${x_max}).`
  return y_min > y_max ? `y_min (${y_min}) is greater than y_max (${y_max}).` : null
}

/** The same as a fault of the input `bounding_box`, which may be still to come. */
export const boxInputFault = (box: BoundingBoxField | null) => {
  const message = box === null ? null : boxFault(box)
  return message === null ? null : { field: 'bounding_box', message }
}

/** The pixels of a box: its right and lower edge are not part of it. */
export const areaOfBox = ({ x_min, x_max, y_min, y_max }: BoundingBoxField): Area => ({
  left: x_min,
  top: y_min,
  width: x_max - x_min,
  height: y_max - y_min,
})
