import type { ModelBase, ModelFormat, ModelType } from '#contract/models/model.ts'

/** Words that InvokeAI 6.8 knows. Any other value breaks whole lists in its clients. */
type KnownBase = Extract<
  ModelBase,
  'any' | 'sd-1' | 'sd-2' | 'sd-3' | 'sdxl' | 'sdxl-refiner' | 'flux' | 'cogview4'
>
type KnownType = Extract<
  ModelType,
  | 'onnx'
  | 'main'
  | 'vae'
  | 'lora'
  | 'controlnet'
  | 'embedding'
  | 'ip_adapter'
  | 'clip_vision'
  | 'clip_embed'
  | 't2i_adapter'
  | 't5_encoder'
  | 'spandrel_image_to_image'
>
type KnownFormat = Extract<
  ModelFormat,
  'checkpoint' | 'lycoris' | 'embedding_file' | 'gguf_quantized' | 'onnx'
>

export interface ModelKind {
  readonly base: KnownBase
  readonly type: KnownType
}

export interface ModelHeader extends ModelKind {
  readonly format: KnownFormat
  /** May be empty. */
  readonly description: string
}

/** Used if a header does not identify the kind. Later versions of InvokeAI use `unknown`, which 6.8 does not know. */
export const unknownKind: ModelKind = { base: 'any', type: 'main' }

export const UNKNOWN_KIND_TEXT = 'Its header does not say what kind of model it is.'
