import Type, { type Static } from 'typebox'
import { type ImageGenerator as GeneratorId, generatorIds } from './generators.ts'
import { Nullable } from './schema.ts'

/** The program or device that made an image and wrote its metadata. */
export const ImageGenerator = Type.Enum(generatorIds)
export type ImageGenerator = GeneratorId

/** One of several samplings that made an image. */
export const SamplingPass = Type.Object({
  seed: Type.Union([Type.Integer(), Type.String(), Type.Null()]),
  steps: Nullable(Type.Integer()),
  cfg_scale: Nullable(Type.Number()),
  sampler: Nullable(Type.String()),
  scheduler: Nullable(Type.String()),
  denoise: Nullable(Type.Number({ description: 'Share of the image that is drawn anew, 0 to 1' })),
  model: Nullable(Type.String()),
})
export type SamplingPass = Static<typeof SamplingPass>

/**
 * Metadata that generators and cameras write into files, in one normalized form (extension).
 *
 * A field is null if the file does not contain it. Optional fields are absent, also for images that an older version
 * read. `raw` has the embedded values by their names in the file (`parameters`, `prompt`, `workflow`,
 * `invokeai_metadata`, `exif`, `xmp`, ...), and in `sidecars` the texts of files beside an imported file, by file name.
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
  generator_version: Type.Optional(
    Nullable(Type.String({ examples: ['v1.10.1', 'NovelAI Diffusion V4.5'] })),
  ),
  passes: Type.Optional(
    Type.Array(SamplingPass, { description: 'All samplings in order, if there are several' }),
  ),
  characters: Type.Optional(
    Type.Array(
      Type.Object({
        prompt: Nullable(Type.String()),
        negative_prompt: Nullable(Type.String()),
      }),
      { description: 'Prompts of single characters in the image' },
    ),
  ),
  parameters: Type.Optional(
    Type.Record(Type.String(), Type.String(), {
      description: 'Settings that only this generator has, by a label for people',
      examples: [{ 'Aspect ratio': '16:9', 'Clip skip': '2' }],
    }),
  ),
  texts: Type.Optional(
    Type.Array(Type.String(), { description: 'Texts of a graph in which no prompt was found' }),
  ),
  source_type: Type.Optional(
    Nullable(
      Type.String({
        description: 'Digital source type of the IPTC',
        examples: ['trainedAlgorithmicMedia'],
      }),
    ),
  ),
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
