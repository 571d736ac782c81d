import type { ModelFile } from '#server/core/models/model-ports.ts'
import type { NodeContext } from '#server/engine/define-node.ts'
import type { LoadedModels } from '#server/engine/models/loaded-models.ts'
import { withModelOf } from '#server/engine/models/node-models.ts'
import { onnxImage } from '#server/engine/nodes/models/onnx-image.ts'
import { withSignal } from '#server/engine/pictures/in-slices.ts'
import type { BytePicture } from '#server/engine/pictures/picture.ts'

interface ModelRun {
  picture: BytePicture
  tile_size?: number
  overlap?: number
  maxPixels?: number
  signal?: AbortSignal
  progress?: NodeContext['progress']
}

/** Runs `onnx_image` with a model in this process, after the checks of the engine. */
export async function runModelNode(
  loaded: LoadedModels,
  model: ModelFile,
  { picture, tile_size = 256, overlap = 0, maxPixels = 1e9, ...telling }: ModelRun,
): Promise<BytePicture> {
  const inputs = { image: { image_name: 'a' }, model: { key: 'm' }, tile_size, overlap }
  const fault = onnxImage.check(inputs)
  if (fault !== null) throw new Error(fault.message)
  const none = () => Promise.reject(new Error('no library'))
  const context: NodeContext = {
    progress: telling.progress ?? (() => undefined),
    maxPixels,
    readPicture: async () => picture,
    readAs: none,
    readResized: none,
    imageRecord: none,
    metadataOf: none,
    withModel: withModelOf({ find: async () => model }, loaded),
    appVersion: 'test',
  }
  const run = async () => (await onnxImage.run(inputs, context)) as BytePicture
  return telling.signal ? withSignal(telling.signal, run) : run()
}
