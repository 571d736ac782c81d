const needsOpenCv = 'It needs OpenCV, which this server does not have.'
const needsModel = 'It needs a model. An InvokeAI server can run it.'
const needsVideo = 'It works on videos, which this server does not store.'
const needsWorkflow = 'It needs a saved workflow, and this server stores none.'
const needsTensor =
  'It works on masks that only nodes with a model take. An InvokeAI server can run it.'
const isUiHelper = 'It stands for the `data` of a batch and cannot run in a graph.'
const isNotBuilt = 'This server does not have it. An InvokeAI server can run it.'
const usesFiles = "It reads or writes files of the server's machine, which this server does not do."

/** Types of node that InvokeAI has and this server does not run. */
const byName: Readonly<Record<string, string>> = {
  infill_cv2: needsOpenCv,
  cv_inpaint: needsOpenCv,
  content_shuffle: needsOpenCv,
  heuristic_resize: needsOpenCv,
  infill_lama: needsModel,
  infill_patchmatch: 'It needs PatchMatch, which this server does not have.',
  infill_tile: isNotBuilt,
  call_saved_workflow: needsWorkflow,
  workflow_return: needsWorkflow,
  workflow_return_get: needsWorkflow,
  workflow_return_value: needsWorkflow,
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
  dynamic_prompt: 'It needs the dynamic prompts of InvokeAI, which this server does not have.',
  prompt_from_file: usesFiles,
  save_image_to_file: usesFiles,
  img_hue_adjust_oklch: isNotBuilt,
  unsharp_mask_oklab: isNotBuilt,
  canvas_paste_back: isNotBuilt,
  canvas_v2_mask_and_crop: isNotBuilt,
  flux_kontext_image_prep: isNotBuilt,
  decode_watermark: isNotBuilt,
  invokeai_img_blend: isNotBuilt,
  invokeai_img_composite: isNotBuilt,
  invokeai_img_dilate_erode: isNotBuilt,
  invokeai_img_hue_adjust_plus: isNotBuilt,
  invokeai_ealightness: isNotBuilt,
  invokeai_img_val_thresholds: isNotBuilt,
  rectangle_mask: needsTensor,
  alpha_mask_to_tensor: needsTensor,
  image_mask_to_tensor: needsTensor,
  invert_tensor_mask: needsTensor,
  tensor_mask_to_image: needsTensor,
  apply_tensor_mask_to_image: needsTensor,
  prompt_template: 'It needs a style preset, and this server stores none.',
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
 * Why this server does not run a type of node that InvokeAI has, as a sentence.
 *
 * @returns `null` for a name that, as far as it tells, InvokeAI does not have either.
 */
export const reasonToRefuse = (type: string): string | null => {
  if (Object.hasOwn(byName, type)) return byName[type] ?? null
  // No type of InvokeAI has a longer name.
  if (type.length > 60) return null
  return patterns.find(([pattern]) => pattern.test(type))?.[1] ?? null
}
