import type { InferenceSession } from 'onnxruntime-node'
import Type, { type Static, type TObject, type TProperties, type TSchema } from 'typebox'
import type { ImageCategory, ImageRecord } from '#contract/image.ts'
import { BoardField, type ImageField } from '#contract/queue/graph.ts'
import type { ByteMode, BytePicture, Picture } from './pictures/picture.ts'
import type { ResampleMode } from './pictures/resample/filters.ts'
import type { Size } from './pictures/resample/resize.ts'

/** Services for a running node. Long loops use `inSlices`, so that they stop when the queue item is canceled. */
export interface NodeContext {
  /** Limit of width times height of a picture. */
  readonly maxPixels: number
  /**
   * Returns the pixels of an image, upright, in the mode that Pillow would choose for its file.
   *
   * @throws {NodeFault} `ImageRecordNotFoundException`, `ImageFileNotFoundException`.
   */
  readPicture(image: ImageField): Promise<Picture>
  /** As `readPicture`, converted to a mode. Alpha is dropped or added as opaque. */
  readAs(image: ImageField, mode: ByteMode): Promise<BytePicture>
  /**
   * Returns the pixels of an image in the size that `sizeOf` computes from the size of the file. This is faster than
   * `readPicture` followed by resizing.
   *
   * @throws {NodeFault} As `readPicture`.
   */
  readResized(image: ImageField, sizeOf: (file: Size) => Size, mode: ResampleMode): Promise<Picture>
  /** @throws {NodeFault} `ImageRecordNotFoundException`. */
  imageRecord(image: ImageField): Promise<ImageRecord>
  /** Returns the metadata of an image, or null if it has none. */
  metadataOf(image: ImageField): Promise<Record<string, unknown> | null>
  /**
   * Calls `work` with an ONNX model, given by key or name. The model stays in memory until `work` ends.
   *
   * @throws {NodeFault} The model does not exist, it cannot be loaded, or ONNX Runtime is not installed.
   */
  withModel<T>(keyOrName: string, work: (session: InferenceSession) => Promise<T>): Promise<T>
  /** The version that metadata nodes record. */
  readonly appVersion: string
  /** @param percentage - From 0 to 1, or null if unknown. */
  progress(message: string, percentage?: number | null, preview?: Picture): void
}

/** How the engine saves the pictures of a node. */
export interface Saving {
  category: ImageCategory
  /** True if the node has the inputs `board` and `metadata`. */
  hasBoard: boolean
}

/** A fault of the combination of inputs. `field` is the input to report. */
export interface InputFault {
  field: string
  message: string
}

/** A type of node. Its schemas define the inputs and outputs and appear in the OpenAPI document. */
export interface NodeDefinition {
  readonly type: string
  readonly summary: string
  /** Sentences on how the result differs from InvokeAI's. Absent if the results are equal. */
  readonly differs?: string
  /** If an input without a default has neither a value nor an edge, the run fails. */
  readonly inputs: TObject
  /** `type` is the name of the output class. Outputs with equal names are equal. */
  readonly output: { readonly type: string; readonly fields: TObject }
  /** The default of `use_cache`. False for nodes whose result differs each time. */
  readonly usesCache: boolean
  /** Set if the node makes a picture: `run` returns it, and the engine saves it. */
  readonly saving: Saving | null
  /** True if the node retains fields that its schema does not declare. */
  readonly retainsExtraFields?: boolean
  /**
   * Checks rules beyond the schema, when a graph is enqueued and again before the node runs. At the first check, an
   * input with an edge has its default, or null without one.
   */
  check(inputs: Record<string, unknown>): InputFault | null
  run(inputs: Record<string, unknown>, context: NodeContext): Promise<unknown>
}

export type PictureResult = Picture | ImageRecord

/** Marks an input that accepts an edge but no value in the graph. */
export const EdgeOnly = <T extends TSchema>(schema: T): T =>
  Object.assign(schema, { 'x-edge-only': true })

/** The parts that all nodes define. `Inputs` has the types of the schemas in `inputs`. */
interface NodeParts<I extends TProperties, Inputs, Result> {
  type: string
  summary: string
  differs?: string
  inputs: I
  /** Default: true. */
  usesCache?: boolean
  check?(inputs: NoInfer<Inputs>): InputFault | null
  run(inputs: NoInfer<Inputs>, context: NodeContext): NoInfer<Result> | Promise<NoInfer<Result>>
}

/**
 * Defines a node that computes values.
 *
 * `Inputs` and `Result` are never passed. As defaults of type parameters they are computed once, from the schemas of
 * a call; `Static` of a type parameter in the signature makes TypeScript expand all of TypeBox's conditional types.
 */
export function defineNode<
  const I extends TProperties,
  const O extends NodeDefinition['output'],
  Inputs = Static<TObject<I>>,
  Result = Static<O['fields']>,
>(
  node: NodeParts<I, Inputs, Result> &
    Pick<NodeDefinition, 'retainsExtraFields'> & { output: O; saving?: Saving },
): NodeDefinition {
  return {
    usesCache: true,
    saving: null,
    ...node,
    check: (inputs) => node.check?.(inputs as Inputs) ?? null,
    inputs: Type.Object(node.inputs),
    run: async (inputs, context) => node.run(inputs as Inputs, context),
  }
}

/** The output of nodes that make or select an image. */
export const imageOutput = {
  type: 'image_output',
  fields: Type.Object({
    image: Type.Object({ image_name: Type.String() }),
    width: Type.Integer(),
    height: Type.Integer(),
  }),
}

/** Additional inputs of nodes that save an image. */
export const savingFields = {
  board: Type.Union([BoardField, Type.Null()], { default: null }),
  metadata: Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()], {
    default: null,
  }),
}

/**
 * Defines a node that makes a picture, which the engine saves as a new image. If `run` returns an image record, the
 * node outputs this image and nothing is saved. By default it has the category `general` and the inputs `board` and
 * `metadata`.
 */
export const definePictureNode = <const I extends TProperties, Inputs = Static<TObject<I>>>({
  saving: { category = 'general', hasBoard = true } = {},
  ...node
}: NodeParts<I, Inputs, PictureResult> & { saving?: Partial<Saving> }): NodeDefinition =>
  defineNode<TProperties, typeof imageOutput, Inputs, PictureResult>({
    ...node,
    inputs: { ...node.inputs, ...(hasBoard && savingFields) },
    output: imageOutput,
    saving: { category, hasBoard },
  })
