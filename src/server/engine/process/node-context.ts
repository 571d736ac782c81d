import type { ImageField } from '#contract/graph.ts'
import type { EngineLibrary } from '#server/core/engine-ports.ts'
import type { NodeContext } from '#server/engine/define-node.ts'
import type { NodeModels } from '#server/engine/models/node-models.ts'
import { NodeFault } from '#server/engine/node-fault.ts'
import { readPicture } from '#server/engine/pictures/read-picture.ts'
import { readResized } from '#server/engine/pictures/resample/resize.ts'
import type { NodeProgress } from './node-runner.ts'

/** What a node is run with. */
export interface ContextParts {
  readonly library: Pick<EngineLibrary, 'image' | 'metadata'>
  readonly models: NodeModels
  readonly signal: AbortSignal
  readonly appVersion: string
  readonly maxPixels: number
  onProgress(progress: NodeProgress): void
}

/** What a node may do beside computing. */
export function nodeContext(parts: ContextParts, progress: NodeContext['progress']): NodeContext {
  const { library, models, signal, appVersion, maxPixels } = parts
  const imageOf = async ({ image_name }: ImageField) => {
    const image = await library.image(image_name)
    if (image) return image
    throw new NodeFault(`Image record not found: ${image_name}`, 'ImageRecordNotFoundException')
  }
  return {
    signal,
    appVersion,
    maxPixels,
    readPicture: async (image) => readPicture((await imageOf(image)).path, { maxPixels }),
    readResized: async (image, sizeOf, mode) =>
      readResized((await imageOf(image)).path, { maxPixels, signal }, sizeOf, mode),
    imageRecord: async (image) => (await imageOf(image)).record,
    metadataOf: async (image) => {
      await imageOf(image)
      return library.metadata(image.image_name)
    },
    withModel: (keyOrName, work) => models.use(keyOrName, work),
    progress,
  }
}
