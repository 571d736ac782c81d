const needsOpenCv = 'needs OpenCV, which this server does not have'
const needsModel = 'needs a model, which this server cannot run: an InvokeAI server can'
const needsVideo = 'works on videos, which this server does not keep'
const needsWorkflow = 'calls a saved workflow, and this server keeps none'
const isUiHelper = 'stands for the `data` of a batch, and cannot run in a graph'

/** Types that InvokeAI has and this server does not run, by their names. */
const byName: Readonly<Record<string, string>> = {
  infill_cv2: needsOpenCv,
  cv_inpaint: needsOpenCv,
  content_shuffle: needsOpenCv,
  heuristic_resize: needsOpenCv,
  infill_lama: needsModel,
  infill_patchmatch: 'needs PatchMatch, which this server does not have',
  infill_tile: 'is not among the nodes of this server',
  call_saved_workflow: needsWorkflow,
  save_video: needsVideo,
  video: needsVideo,
  compel: needsModel,
  noise: needsModel,
  scheduler: needsModel,
  conditioning: needsModel,
  conditioning_collection: needsModel,
  latents: needsModel,
  latents_collection: needsModel,
  lblend: needsModel,
  lresize: needsModel,
  lscale: needsModel,
  crop_latents: needsModel,
  i2l: needsModel,
  l2i: needsModel,
  esrgan: needsModel,
  esrgan_autoscale: needsModel,
  spandrel_image_to_image: needsModel,
  spandrel_image_to_image_autoscale: needsModel,
  grounding_dino: needsModel,
  segment_anything: needsModel,
  img_nsfw: needsModel,
  img_watermark: needsModel,
  controlnet: needsModel,
  ip_adapter: needsModel,
  t2i_adapter: needsModel,
  freeu: needsModel,
  seamless: needsModel,
  clip_skip: needsModel,
  create_denoise_mask: needsModel,
  create_gradient_mask: needsModel,
  ideal_size: needsModel,
  face_identifier: needsModel,
  face_mask_detection: needsModel,
  face_off: needsModel,
  mediapipe_face_detection: needsModel,
  dynamic_prompt: 'needs the dynamic prompts of InvokeAI, which this server does not have',
  prompt_from_file: 'reads a file of the machine it runs on, which this server does not do',
}

const patterns: readonly (readonly [RegExp, string])[] = [
  [/_(batch|generator)$/, isUiHelper],
  [/_generator_/, isUiHelper],
  [/^(flux|flux2|sd3|sdxl|cogview4|qwen|z_image|wan|anima|krea|hidream)_/, needsModel],
  [/(^|_)(denoise|vae|lora|model|loader|selector|encoder|encode|decode)(_|$)/, needsModel],
  [/_(latents|conditioning|prompt|l2i|i2l)$/, needsModel],
  [/^(hed|lineart|lineart_anime|dw_openpose|depth_anything|mlsd|normal_map|pidi)(_|$)/, needsModel],
  [/^(llava|text_llm|t5|clip_vision)_/, needsModel],
  [/_(video|videos)$|^video_/, needsVideo],
]

/**
 * Why this server does not run a type of node that InvokeAI has.
 *
 * @returns `null` for what InvokeAI does not have either, as far as its name tells.
 */
export const reasonToRefuse = (type: string): string | null => {
  if (Object.hasOwn(byName, type)) return byName[type] ?? null
  // No type of InvokeAI has a longer name.
  if (type.length > 60) return null
  return patterns.find(([pattern]) => pattern.test(type))?.[1] ?? null
}
