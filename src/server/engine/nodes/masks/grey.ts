import type { ImageField } from '#contract/queue/graph.ts'
import type { NodeContext } from '#server/engine/define-node.ts'
import { byteTable, mapBands } from '#server/engine/pictures/map-bands.ts'
import { toMode } from '#server/engine/pictures/modes/to-mode.ts'
import type { BytePicture } from '#server/engine/pictures/picture.ts'

const negative = byteTable((value) => 255 - value)

/** A picture with every band turned round. */
export const inverted = (picture: BytePicture, signal: AbortSignal): Promise<BytePicture> =>
  mapBands(picture, negative, signal)

/** An image as a mask is read: its grey, whatever its alpha. */
export const readGrey = async (
  image: ImageField,
  { readPicture, signal }: NodeContext,
): Promise<BytePicture> => toMode(await readPicture(image), 'L', signal)
