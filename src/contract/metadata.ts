import Type, { type Static } from 'typebox'
import { Nullable } from './schema.ts'

/** The program or device that made an image and wrote its metadata. */
export const ImageGenerator = Type.Enum(['invokeai', 'a1111', 'comfyui', 'camera'])
export type ImageGenerator = Static<typeof ImageGenerator>

/**
 * Metadata that InvokeAI, A1111, ComfyUI and cameras write into files, in one normalized form (extension).
 *
 * A field is null if the file does not contain it. `raw` has the embedded values by their names in the file
 * (`parameters`, `prompt`, `workflow`, `invokeai_metadata`, `exif`, ...).
 */
export const NormalMetadata = Type.Object({
  generator: Nullable(ImageGenerator),
  prompt: Nullable(Type.String()),
  negative_prompt: Nullable(Type.String()),
  model: Nullable(Type.String()),
  seed: Type.Union([Type.Integer(), Type.String(), Type.Null()], {
    description: 'Text for numbers above 2^53, which JSON parsers would round',
  }),
  steps: Nullable(Type.Integer()),
  cfg_scale: Nullable(Type.Number()),
  sampler: Nullable(Type.String()),
  scheduler: Nullable(Type.String()),
  loras: Type.Array(Type.Object({ name: Type.String(), weight: Nullable(Type.Number()) })),
  width: Nullable(Type.Integer()),
  height: Nullable(Type.Integer()),
  camera: Nullable(Type.String({ description: 'Camera maker and model' })),
  lens: Nullable(Type.String()),
  exposure: Nullable(Type.String({ examples: ['1/250 s, f/2.8, ISO 100, 35 mm'] })),
  raw: Type.Record(Type.String(), Type.Unknown()),
  is_unread: Type.Optional(
    Type.Boolean({ description: 'True if the server could not read the metadata in time' }),
  ),
})
export type NormalMetadata = Static<typeof NormalMetadata>

/** Metadata of one image in a list (extension). */
export const NamedMetadata = Type.Object({
  image_name: Type.String(),
  metadata: Nullable(NormalMetadata),
})
export type NamedMetadata = Static<typeof NamedMetadata>

/** Workflow and graph embedded in an image, as JSON text. */
export const ImageWorkflow = Type.Object({
  workflow: Nullable(Type.String()),
  graph: Nullable(Type.String()),
})
export type ImageWorkflow = Static<typeof ImageWorkflow>
