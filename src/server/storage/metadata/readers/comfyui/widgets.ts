import { isObject } from '#server/storage/metadata/parse-embedded-json.ts'
import { isProse } from './inputs.ts'

/** Widgets of the most used nodes in the order of `widgets_values`, for editors that did not name them. `-` is skipped. */
const widgetNames: Record<string, string> = {
  KSampler: 'seed - steps cfg sampler_name scheduler denoise',
  KSamplerAdvanced:
    'add_noise noise_seed - steps cfg sampler_name scheduler start_at_step end_at_step return_with_leftover_noise',
  SamplerCustom: 'add_noise noise_seed - cfg',
  RandomNoise: 'noise_seed -',
  KSamplerSelect: 'sampler_name',
  BasicScheduler: 'scheduler steps denoise',
  SDTurboScheduler: 'steps denoise',
  LTXVScheduler: 'steps max_shift base_shift stretch terminal',
  DualCFGGuider: 'cfg_conds cfg_cond2_negative',
  Flux2Scheduler: 'steps width height',
  CFGGuider: 'cfg',
  FluxGuidance: 'guidance',
  CheckpointLoaderSimple: 'ckpt_name',
  CheckpointLoader: 'config_name ckpt_name',
  ImageOnlyCheckpointLoader: 'ckpt_name',
  unCLIPCheckpointLoader: 'ckpt_name',
  UNETLoader: 'unet_name weight_dtype',
  UnetLoaderGGUF: 'unet_name',
  LoraLoader: 'lora_name strength_model strength_clip',
  LoraLoaderModelOnly: 'lora_name strength_model',
  CLIPTextEncode: 'text',
  CLIPTextEncodeFlux: 'clip_l t5xxl guidance',
  CLIPTextEncodeSDXL: 'width height crop_w crop_h target_width target_height text_g text_l',
  CLIPTextEncodeSDXLRefiner: 'ascore width height text',
  CLIPTextEncodeSD3: 'clip_l clip_g t5xxl empty_padding',
  CLIPTextEncodeHunyuanDiT: 'bert mt5xl',
  TextEncodeQwenImageEdit: 'prompt',
  TextEncodeQwenImageEditPlus: 'prompt',
  EmptyLatentImage: 'width height batch_size',
  EmptySD3LatentImage: 'width height batch_size',
  EmptyHunyuanLatentVideo: 'width height length batch_size',
  EmptyLTXVLatentVideo: 'width height length batch_size',
  LTXVImgToVideo: 'width height length batch_size',
  WanImageToVideo: 'width height length batch_size',
  StringConcatenate: 'string_a string_b delimiter',
  PrimitiveString: 'value',
  PrimitiveStringMultiline: 'value',
  PrimitiveInt: 'value -',
  PrimitiveFloat: 'value',
  'Seed (rgthree)': 'seed',
  'Efficient Loader':
    'ckpt_name vae_name clip_skip lora_name lora_model_strength lora_clip_strength positive negative token_normalization weight_interpretation empty_latent_width empty_latent_height batch_size',
  'Eff. Loader SDXL':
    'base_ckpt_name base_clip_skip refiner_ckpt_name refiner_clip_skip positive_ascore negative_ascore vae_name positive negative token_normalization weight_interpretation empty_latent_width empty_latent_height batch_size',
  'KSampler SDXL (Eff.)':
    'noise_seed - steps cfg sampler_name scheduler start_at_step refine_at_step preview_method vae_decode',
  'easy a1111Loader':
    'ckpt_name vae_name clip_skip lora_name lora_model_strength lora_clip_strength resolution empty_latent_width empty_latent_height positive negative batch_size',
  'easy comfyLoader':
    'ckpt_name vae_name clip_skip lora_name lora_model_strength lora_clip_strength resolution empty_latent_width empty_latent_height positive negative batch_size',
  'easy fullLoader':
    'ckpt_name config_name vae_name clip_skip lora_name lora_model_strength lora_clip_strength resolution empty_latent_width empty_latent_height positive - - negative - - batch_size',
  'easy positive': 'positive',
  'easy negative': 'negative',
  'easy preSampling': 'steps cfg sampler_name scheduler denoise seed -',
  'easy preSamplingLayerDiffusion': '- - steps cfg sampler_name scheduler denoise seed -',
  'easy fullkSampler': 'steps cfg sampler_name scheduler denoise - - - seed -',
  'easy promptConcat': 'prompt1 prompt2 separator',
  'easy wildcards': 'text - - seed -',
  GLIGENTextBoxApply: 'text width height x y',
  'KSampler (Efficient)':
    'seed - steps cfg sampler_name scheduler denoise preview_method vae_decode',
  WanVideoTextEncode: 'positive_prompt negative_prompt force_offload',
  WanVideoModelLoader: 'model base_precision quantization load_device',
  WanVideoSampler: 'steps cfg shift seed - force_offload scheduler',
  WanVideoEmptyEmbeds: 'width height num_frames',
  WanVideoLoraSelect: 'lora strength',
  ImpactWildcardProcessor: 'wildcard_text populated_text',
  ImpactWildcardEncode: 'wildcard_text populated_text',
  UltimateSDUpscale: 'upscale_by seed - steps cfg sampler_name scheduler denoise',
  FaceDetailer:
    'guide_size guide_size_for max_size seed - steps cfg sampler_name scheduler denoise',
}

const isControl = (value: unknown): boolean =>
  typeof value === 'string' && /^(?:fixed|increment|decrement|randomize)$/.test(value)

/** Returns the names of widgets that newer editors write as inputs, with `-` for the control after a seed. */
const declaredNames = (inputs: unknown, values: readonly unknown[]): string[] => {
  const names: string[] = []
  for (const input of Array.isArray(inputs) ? inputs : []) {
    if (!isObject(input) || !isObject(input.widget) || typeof input.name !== 'string') continue
    names.push(input.name)
    if (/seed|^value$/.test(input.name) && isControl(values[names.length])) names.push('-')
  }
  return names
}

/** Returns the values that a node of the editor shows, by the names of their inputs. */
export const widgetsOf = (node: Record<string, unknown>): Record<string, unknown> => {
  const { type, inputs, widgets_values: written } = node
  if (isObject(written)) return { ...written }
  const values: unknown[] = Array.isArray(written) ? written.slice(0, 200) : []
  const declared = declaredNames(inputs, values)
  const known =
    typeof type === 'string' && Object.hasOwn(widgetNames, type) ? widgetNames[type] : ''
  // An older editor declares only widgets that were turned into inputs.
  const isComplete = declared.length > 0 && declared.length >= values.length
  const names = isComplete ? declared : (known ?? '').split(' ').filter((name) => name !== '')
  const found = names.flatMap((name, index): [string, unknown][] =>
    name === '-' || values[index] === undefined ? [] : [[name, values[index]]],
  )
  if (found.length > 0) return Object.fromEntries(found)
  // Power Lora Loader writes its rows as objects. Of other nodes, a single text needs no name.
  const rows = values.filter((value) => isObject(value) && 'lora' in value)
  const texts = values.filter(isProse)
  return Object.fromEntries([
    ...rows.map((row, index): [string, unknown] => [`lora_${index + 1}`, row]),
    ...texts.map((text, index): [string, unknown] => [
      texts.length === 1 ? 'text' : `widget_${index}`,
      text,
    ]),
  ])
}
