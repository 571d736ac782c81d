import type { InferenceSession } from 'onnxruntime-node'
import Type, { type Static, type TObject, type TProperties, type TSchema } from 'typebox'
import type { ImageCategory, ImageRecord } from '#contract/image.ts'
import type { ImageField } from '#contract/queue/graph.ts'
import type { Picture } from './pictures/picture.ts'
import type { ResampleMode } from './pictures/resample/filters.ts'
import type { Size } from './pictures/resample/resize.ts'

/** What a node may do beside computing. */
export interface NodeContext {
  /** Aborted when the item is canceled. What loops for long looks at it. */
  readonly signal: AbortSignal
  /** Width times height that a picture may have. */
  readonly maxPixels: number
  /**
   * The pixels of an image, upright, in the mode that Pillow would give its file.
   *
   * @throws {NodeFault} `ImageRecordNotFoundException`, `ImageFileNotFoundException`.
   */
  readPicture(image: ImageField): Promise<Picture>
  /**
   * The same in another size, which `sizeOf` computes from the size of the file: faster than to read and then resize.
   *
   * @throws {NodeFault} As `readPicture`.
   */
  readResized(image: ImageField, sizeOf: (file: Size) => Size, mode: ResampleMode): Promise<Picture>
  /** @throws {NodeFault} `ImageRecordNotFoundException`. */
  imageRecord(image: ImageField): Promise<ImageRecord>
  /** The metadata of an image; null: it has none. */
  metadataOf(image: ImageField): Promise<Record<string, unknown> | null>
  /**
   * Works with an ONNX model, by its key or its name, which stays in memory meanwhile.
   *
   * @throws {NodeFault} There is none, it cannot be loaded, or ONNX Runtime is not installed.
   */
  withModel<T>(keyOrName: string, work: (session: InferenceSession) => Promise<T>): Promise<T>
  /** The version that metadata nodes note down. */
  readonly appVersion: string
  /** @param percentage - From 0 to 1; null where it cannot be known. */
  progress(message: string, percentage?: number | null, preview?: Picture): void
}

/** How the pictures that a node makes are saved. */
export interface Saving {
  category: ImageCategory
  /** Whether the node takes `board` and `metadata` (wire 9.5: S), or neither (S-). */
  hasBoard: boolean
}

/** What is wrong with the inputs of a node taken together: `field` is the one that is refused. */
export interface InputFault {
  field: string
  message: string
}

/** A type of node: its schema says what it takes and gives, and what the OpenAPI document shows. */
export interface NodeDefinition {
  readonly type: string
  readonly summary: string
  /** Sentences on how the result differs from InvokeAI's. Absent where the two are equal. */
  readonly differs?: string
  /** An input without a default must be given or connected, else the run fails (wire 9.1). */
  readonly inputs: TObject
  /** `type` is its name: two outputs of one name are the same. */
  readonly output: { readonly type: string; readonly fields: TObject }
  /** The default of `use_cache`; false for what gives something else each time. */
  readonly usesCache: boolean
  /** Present where it makes a picture: `run` gives one, and the engine saves it. */
  readonly saving: Saving | null
  /** Keeps fields that its schema does not name. */
  readonly keepsExtra?: boolean
  /**
   * Rules beyond the schema. Asked when a graph is enqueued and again before the node runs; an input that is
   * still to come through an edge has its default, one without a default is null.
   */
  check(inputs: Record<string, unknown>): InputFault | null
  run(inputs: Record<string, unknown>, context: NodeContext): Promise<unknown>
}

/** What a node that makes pictures may give. */
export type PictureResult = Picture | ImageRecord

/** An input that takes no value in the graph, only an edge. */
export const EdgeOnly = <T extends TSchema>(schema: T): T =>
  Object.assign(schema, { 'x-edge-only': true })

/**
 * Defines a node that computes values.
 *
 * `Inputs` and `Result` are never passed. As defaults of type parameters they are computed once, from the schemas of a
 * call; `Static` of a type parameter in the signature makes TypeScript expand all of TypeBox's conditional types.
 */
export function defineNode<
  const I extends TProperties,
  const O extends NodeDefinition['output'],
  Inputs = Static<TObject<I>>,
  Result = Static<O['fields']>,
>(node: {
  type: string
  summary: string
  differs?: string
  inputs: I
  output: O
  usesCache?: boolean
  keepsExtra?: boolean
  check?(inputs: NoInfer<Inputs>): InputFault | null
  run(inputs: NoInfer<Inputs>, context: NodeContext): NoInfer<Result> | Promise<NoInfer<Result>>
}): NodeDefinition {
  return {
    usesCache: true,
    saving: null,
    ...node,
    check: (inputs) => node.check?.(inputs as Inputs) ?? null,
    inputs: Type.Object(node.inputs),
    run: async (inputs, context) => node.run(inputs as Inputs, context),
  }
}

/** What every node that makes or names an image gives. */
export const imageOutput = {
  type: 'image_output',
  fields: Type.Object({
    image: Type.Object({ image_name: Type.String() }),
    width: Type.Integer(),
    height: Type.Integer(),
  }),
}

/**
 * A node that makes a picture, which is saved as a new image (wire 9.2). One that gives the record of an image
 * hands that image on, and nothing is saved.
 */
export function definePictureNode<const I extends TProperties, Inputs = Static<TObject<I>>>(node: {
  type: string
  summary: string
  differs?: string
  inputs: I
  usesCache?: boolean
  /** Default: category `general`, takes `board` and `metadata`. */
  saving?: Partial<Saving>
  check?(inputs: NoInfer<Inputs>): InputFault | null
  run(inputs: NoInfer<Inputs>, context: NodeContext): PictureResult | Promise<PictureResult>
}): NodeDefinition {
  return {
    usesCache: true,
    ...node,
    check: (inputs) => node.check?.(inputs as Inputs) ?? null,
    saving: { category: 'general', hasBoard: true, ...node.saving },
    inputs: Type.Object(node.inputs),
    output: imageOutput,
    run: async (inputs, context) => node.run(inputs as Inputs, context),
  }
}
