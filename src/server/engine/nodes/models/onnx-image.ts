import Type from 'typebox'
import { ImageField } from '#contract/queue/graph.ts'
import { definePictureNode, type NodeDefinition } from '#server/engine/define-node.ts'
import { ImageModel } from '#server/engine/models/image-model.ts'
import { runInTiles } from '#server/engine/models/run-in-tiles.ts'
import { bandOf, withAlphaOf } from '#server/engine/pictures/blend.ts'
import { toMode } from '#server/engine/pictures/modes/to-mode.ts'
import { type BytePicture, hasAlpha } from '#server/engine/pictures/picture.ts'
import { resize } from '#server/engine/pictures/resample/resize.ts'

/** Runs an image-to-image model, such as an upscaler. InvokeAI has no such node. */
export const onnxImage = definePictureNode({
  type: 'onnx_image',
  summary: 'Runs an image-to-image ONNX model, such as an upscaler, tile by tile',
  inputs: {
    image: ImageField,
    model: Type.Object(
      { key: Type.String({ description: 'The key of the model, or its name' }) },
      { description: 'An ONNX model: 1x3xHxW from 0 to 1 in, 1x3x(kH)x(kW) out' },
    ),
    tile_size: Type.Integer({
      default: 256,
      minimum: 16,
      maximum: 4096,
      description: 'In pixels; a model that takes one size alone gets that',
    }),
    overlap: Type.Integer({
      default: 16,
      minimum: 0,
      description: 'What neighbouring tiles share and fade over, in pixels',
    }),
  },
  check: ({ tile_size, overlap }) =>
    overlap * 2 > tile_size
      ? { field: 'overlap', message: 'overlap may be at most half of tile_size' }
      : null,
  run: async ({ image, model, tile_size, overlap }, context) => {
    const { readPicture, withModel } = context
    const picture = await readPicture(image)
    const source = await toMode(picture, hasAlpha(picture) ? 'RGBA' : 'RGB')
    const made = await withModel(model.key, (session) =>
      runInTiles(new ImageModel(session), source, { tileSize: tile_size, overlap }, context),
    )
    return hasAlpha(source) ? withScaledAlpha(made, source) : made
  },
})

/** Scales the alpha separately, because models process only colors. */
async function withScaledAlpha(made: BytePicture, source: BytePicture): Promise<BytePicture> {
  const alpha = await resize(await bandOf(source, 3), made, 'bilinear')
  return withAlphaOf(await toMode(made, 'RGBA'), alpha)
}

export const modelNodes: readonly NodeDefinition[] = [onnxImage]
