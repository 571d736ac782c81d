import Type, { type Static } from 'typebox'
import { Nullable } from '#contract/schema.ts'

/** Base architecture of a model, as in InvokeAI 6.14. */
export const ModelBase = Type.Enum([
  'any',
  'sd-1',
  'sd-2',
  'sd-3',
  'sdxl',
  'sdxl-refiner',
  'flux',
  'flux2',
  'cogview4',
  'z-image',
  'ernie-image',
  'ideogram-4',
  'external',
  'qwen-image',
  'anima',
  'krea-2',
  'wan',
  'unknown',
])
export type ModelBase = Static<typeof ModelBase>

/** Type of a model, as in InvokeAI 6.14. */
export const ModelType = Type.Enum([
  'onnx',
  'main',
  'vae',
  'lora',
  'control_lora',
  'controlnet',
  'embedding',
  'ip_adapter',
  'clip_vision',
  'clip_embed',
  't2i_adapter',
  't5_encoder',
  'qwen3_encoder',
  'qwen_vl_encoder',
  'qwen3_vl_encoder',
  'mistral_encoder',
  'wan_t5_encoder',
  'gemma2_encoder',
  'spandrel_image_to_image',
  'siglip',
  'flux_redux',
  'llava_onevision',
  'prompt_enhancer',
  'text_llm',
  'external_image_generator',
  'pid_decoder',
  'unknown',
])
export type ModelType = Static<typeof ModelType>

/** File format of a model, as in InvokeAI 6.14. */
export const ModelFormat = Type.Enum([
  'omi',
  'diffusers',
  'checkpoint',
  'lycoris',
  'onnx',
  'olive',
  'embedding_file',
  'embedding_folder',
  'invokeai',
  't5_encoder',
  'qwen3_encoder',
  'qwen_vl_encoder',
  'qwen3_vl_encoder',
  'mistral_encoder',
  'wan_t5_encoder',
  'gemma2_encoder',
  'bnb_quantized_int8b',
  'bnb_quantized_nf4b',
  'gguf_quantized',
  'external_api',
  'sdnq_quantized',
  'unknown',
])
export type ModelFormat = Static<typeof ModelFormat>

/** Sort key of models. `default` sorts by type, base and name. */
export const ModelOrder = Type.Enum([
  'default',
  'type',
  'base',
  'name',
  'format',
  'size',
  'created_at',
  'updated_at',
  'path',
])
export type ModelOrder = Static<typeof ModelOrder>

/** Placeholder for a hash that is not computed yet. */
export const HASH_PENDING = 'blake3:pending'

/**
 * A model, with the fields that all kinds of models share. Each kind has additional fields.
 *
 * `base`, `type` and `format` are plain strings here, because a newer InvokeAI has more values. This server
 * sends only values that clients of InvokeAI 6.8 know, and always strings for `description` and `source`.
 */
export const ModelRecord = Type.Object({
  key: Type.String(),
  hash: Type.String({ description: '`blake3:` and 64 hexadecimal digits, or `blake3:pending`' }),
  path: Type.String({ description: 'Relative to the models folder' }),
  file_size: Type.Integer({ description: 'Size in bytes' }),
  name: Type.String(),
  description: Nullable(Type.String()),
  source: Type.String(),
  source_type: Type.String({ examples: ['path', 'url', 'hf_repo_id', 'external'] }),
  source_api_response: Nullable(Type.String()),
  source_url: Nullable(Type.String()),
  cover_image: Nullable(Type.String()),
  base: Type.String({ examples: ['sdxl', 'flux', 'any'] }),
  type: Type.String({ examples: ['main', 'lora', 'vae'] }),
  format: Type.String({ examples: ['diffusers', 'checkpoint'] }),
  fault: Type.Optional(Nullable(Type.String({ description: 'Problem with the file, or null' }))),
})
export type ModelRecord = Static<typeof ModelRecord>

/** Statistics of the model cache since the server started. */
export const ModelCacheStats = Type.Object({
  hits: Type.Integer({ description: 'Uses of a loaded model' }),
  misses: Type.Integer({ description: 'Uses of a model that had to be loaded' }),
  high_watermark: Type.Integer({ description: 'Peak memory of loaded models in bytes' }),
  in_cache: Type.Integer({ description: 'Models in memory' }),
  cleared: Type.Integer({ description: 'Models that were unloaded to free memory' }),
  cache_size: Type.Integer({ description: 'Memory limit of loaded models in bytes' }),
  loaded_model_sizes: Type.Record(Type.String(), Type.Integer(), {
    description: 'Size in bytes of each loaded model, by key',
  }),
})
export type ModelCacheStats = Static<typeof ModelCacheStats>
