import type { ImageRecord } from '#contract/image.ts'
import type { GraphNode, ImageField, NodeOutput } from '#contract/queue/graph.ts'
import type { EngineLibrary } from '#server/core/queue/engine-ports.ts'
import { isAnySchema, namesNull } from '#server/core/validation/value-schema.ts'
import type { NodeContext, NodeDefinition, PictureResult } from '#server/engine/define-node.ts'
import { definitionOf } from '#server/engine/graph/node-catalog.ts'
import { fieldsOf } from '#server/engine/graph/node-fields.ts'
import { NodeFault } from '#server/engine/node-fault.ts'
import { nodeCatalog } from '#server/engine/nodes/index.ts'
import { encodePng, thumbnailOf } from '#server/engine/pictures/encode-png.ts'
import { withSignal } from '#server/engine/pictures/in-slices.ts'
import { toMode } from '#server/engine/pictures/modes/to-mode.ts'
import { readPicture } from '#server/engine/pictures/read-picture.ts'
import { readResized } from '#server/engine/pictures/resample/resize.ts'
import type { NodeProgress, NodeResult } from './messages.ts'
import { previewOf } from './preview-of.ts'

/** Length limit of a node's output, in characters of JSON. */
const MAX_OUTPUT_LENGTH = 8 * 1024 * 1024

/** Runs a node within the node process. */
export async function runNode(node: GraphNode, parts: ContextParts): Promise<NodeResult> {
  const definition = definitionOf(nodeCatalog, node.type)
  const reports = progressReports(parts.onProgress)
  const context = nodeContext(parts, reports.report)
  const inputs = inputsOf(definition, node)
  const given = await withSignal(parts.signal, () => definition.run(inputs, context))
  await reports.settled()
  if (definition.saving === null) return outputOf(definition, given)
  const made = given as PictureResult
  if ('image_name' in made) return outputOf(definition, referenceTo(made))
  context.progress('Saving image')
  const { width, height } = made
  const [png, thumbnail] = await Promise.all([encodePng(made), thumbnailOf(made)])
  return { kind: 'picture', png, thumbnail, width, height }
}

const referenceTo = ({ image_name, width, height }: ImageRecord) => ({
  image: { image_name },
  width,
  height,
})

/** Removes null values whose schema does not accept null: null then means "absent". */
function inputsOf(definition: NodeDefinition, node: GraphNode): Record<string, unknown> {
  const fields = fieldsOf(definition)
  return Object.fromEntries(
    Object.entries(node).filter(([name, value]) => {
      const schema = fields.get(name)?.schema
      return value !== null || !schema || isAnySchema(schema) || namesNull(schema)
    }),
  )
}

function outputOf({ output: { type } }: NodeDefinition, given: unknown): NodeResult {
  const output = { type, ...(given as object) } as NodeOutput
  const size = JSON.stringify(output, refuseNotFinite).length
  if (size > MAX_OUTPUT_LENGTH) {
    throw new NodeFault(
      `The result is more than ${MAX_OUTPUT_LENGTH / 1024 / 1024} MiB of text.`,
      'TooMuchDataError',
    )
  }
  return { kind: 'output', output, size }
}

/** Refuses NaN and Infinity, because JSON cannot represent them. */
const refuseNotFinite = (name: string, value: unknown): unknown => {
  if (typeof value !== 'number' || Number.isFinite(value)) return value
  throw new NodeFault(`The result is not a finite number (${name} is ${value}).`)
}

/** Sends progress reports in order. Drops a preview while the previous one is being encoded. */
function progressReports(send: ContextParts['onProgress']) {
  let drawing: Promise<void> | null = null
  const report: NodeContext['progress'] = (message, percentage = null, preview) => {
    if (preview === undefined || drawing !== null) {
      send({ message, percentage, image: null })
      return
    }
    drawing = previewOf(preview)
      .catch(() => null)
      .then((image) => {
        drawing = null
        send({ message, percentage, image })
      })
  }
  /** Waits for the last preview. */
  const settled = async () => drawing
  return { report, settled }
}

export interface ContextParts extends Pick<NodeContext, 'appVersion' | 'maxPixels' | 'withModel'> {
  /** Aborted when the queue item is canceled. */
  readonly signal: AbortSignal
  readonly library: Pick<EngineLibrary, 'image' | 'openFile' | 'metadata'>
  onProgress(progress: NodeProgress): void
}

function nodeContext(parts: ContextParts, progress: NodeContext['progress']): NodeContext {
  const { library, appVersion, maxPixels, withModel } = parts
  const recordOf = async ({ image_name }: ImageField) => {
    const record = await library.image(image_name)
    if (record) return record
    throw new NodeFault(`Image record not found: ${image_name}`, 'ImageRecordNotFoundException')
  }
  const pathOf = async (image: ImageField) => {
    await recordOf(image)
    const path = await library.openFile(image.image_name)
    if (path !== null) return path
    throw new NodeFault('Image file not found', 'ImageFileNotFoundException')
  }
  const readImage = async (image: ImageField) => readPicture(await pathOf(image), { maxPixels })
  return {
    appVersion,
    maxPixels,
    readPicture: readImage,
    readAs: async (image, mode) => toMode(await readImage(image), mode),
    readResized: async (image, sizeOf, mode) =>
      readResized(await pathOf(image), { maxPixels }, sizeOf, mode),
    imageRecord: recordOf,
    metadataOf: async (image) => {
      await recordOf(image)
      return library.metadata(image.image_name)
    },
    withModel,
    progress,
  }
}
