import type { GraphNode } from '#contract/queue/graph.ts'
import { FaultList } from '#server/core/validation/fault-list.ts'
import { findings, type Loc, valueError } from '#server/core/validation/findings.ts'
import { isPlainObject, readValue } from '#server/core/validation/read-value.ts'
import type { NodeDefinition } from '#server/engine/define-node.ts'
import type { NodeCatalog } from './node-catalog.ts'
import { fieldsOf, type NodeField } from './node-fields.ts'

const text = { type: 'string' }
const flag = { type: 'boolean' }

/** Reads a node of a submitted graph. Returns `undefined` after a fault. */
export function readNode(
  catalog: NodeCatalog,
  input: unknown,
  newId: () => string,
  loc: Loc,
  found: FaultList,
): GraphNode | undefined {
  const definition = definitionFor(catalog, input, loc, found)
  if (definition === undefined || !isPlainObject(input)) return undefined
  const at = [...loc, definition.type]
  const before = found.all.length
  const own = (name: string) => (Object.hasOwn(input, name) ? input[name] : undefined)
  const common = (schema: object, name: string, otherwise: unknown) =>
    own(name) === undefined
      ? otherwise
      : readValue(schema, own(name), [...at, name], 'graph', found)

  const node: [string, unknown][] = [
    ['id', own('id') === undefined ? newId() : common(text, 'id', '')],
    ['is_intermediate', common(flag, 'is_intermediate', false)],
    ['use_cache', common(flag, 'use_cache', definition.usesCache)],
  ]
  const fields = fieldsOf(definition)
  for (const field of fields.values()) {
    node.push([field.name, readField(field, own(field.name), [...at, field.name], found)])
  }
  if (definition.retainsExtraFields) {
    const declared = new Set(['type', ...node.map(([name]) => name)])
    for (const [name, value] of Object.entries(input)) {
      if (!declared.has(name))
        node.push([name, readValue({}, value, [...at, name], 'graph', found)])
    }
  }
  node.push(['type', definition.type])
  if (found.all.length > before) return undefined
  const read = Object.fromEntries(node) as GraphNode
  checkTogether(definition, read, at, found)
  return read
}

function definitionFor(
  catalog: NodeCatalog,
  input: unknown,
  loc: Loc,
  found: FaultList,
): NodeDefinition | undefined {
  if (!isPlainObject(input)) {
    found.add(findings.object, loc, input)
    return undefined
  }
  if (!Object.hasOwn(input, 'type')) {
    const msg = "Unable to extract tag using discriminator 'type'"
    found.add({ type: 'union_tag_not_found', msg, ctx: { discriminator: "'type'" } }, loc)
    return undefined
  }
  const type = input.type
  const definition = typeof type === 'string' ? catalog.get(type) : undefined
  if (definition === undefined) found.add(unknownType(catalog, String(type)), loc)
  return definition
}

/** Explains why a node of InvokeAI cannot run here. For any other name, lists the supported names. */
const unknownType = (catalog: NodeCatalog, type: string) => {
  const tag = type.slice(0, 200)
  const reason = reasonToRefuse(type)
  if (reason !== null) {
    const msg = `The node '${tag}' cannot run on this server. ${reason}`
    return { type: 'union_tag_invalid', msg, ctx: { discriminator: "'type'", tag } }
  }
  const expected = [...catalog.keys()].map((name) => `'${name}'`).join(', ')
  return {
    type: 'union_tag_invalid',
    msg: `Input tag '${tag}' found using 'type' does not match any of the expected tags: ${expected}`,
    ctx: { discriminator: "'type'", tag, expected_tags: expected },
  }
}

/** Reads an input. Null means that a required input has no value yet. */
function readField(field: NodeField, input: unknown, loc: Loc, found: FaultList): unknown {
  if (input === undefined || field.isEdgeOnly) return field.default
  if (input === null && field.default === null) return null
  return readValue(field.schema, input, loc, 'graph', found)
}

function checkTogether(
  definition: NodeDefinition,
  node: GraphNode,
  loc: Loc,
  found: FaultList,
): void {
  const fault = definition.check(node)
  if (fault !== null) found.add(valueError(fault.message), [...loc, fault.field])
}

/** Validates a single value for an input. Returns the coerced value, and no faults if it is valid. */
export function readInput(field: NodeField, input: unknown): { value: unknown; faults: FaultList } {
  const faults = new FaultList()
  const value =
    input === null && field.default === null
      ? null
      : readValue(field.schema, input, [], 'graph', faults)
  return { value, faults }
}

const needsOpenCv = 'It needs OpenCV, which this server does not have.'
const needsModel = 'It needs a model. An InvokeAI server can run it.'
const needsVideo = 'It works on videos, which this server does not store.'
const needsWorkflow = 'It needs a saved workflow, and this server stores none.'
const needsTensor =
  'It works on masks that only nodes with a model take. An InvokeAI server can run it.'
const isUiHelper = 'It stands for the `data` of a batch and cannot run in a graph.'
const isNotBuilt = 'This server does not have it. An InvokeAI server can run it.'
const usesFiles = "It reads or writes files of the server's machine, which this server does not do."

/** Node types of InvokeAI that this server cannot run, with the reason. */
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
 * Returns the reason why this server cannot run a node type of InvokeAI, as a sentence.
 *
 * @returns `null` if the name does not look like a type of InvokeAI.
 */
export const reasonToRefuse = (type: string): string | null => {
  if (Object.hasOwn(byName, type)) return byName[type] ?? null
  // No type name of InvokeAI is longer.
  if (type.length > 60) return null
  return patterns.find(([pattern]) => pattern.test(type))?.[1] ?? null
}
