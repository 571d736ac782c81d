import { randomUUID } from 'node:crypto'
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
    ['id', common(text, 'id', randomUUID())],
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
  const fault = definition.check(read)
  if (fault !== null) found.add(valueError(fault.message), [...at, fault.field])
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
  const ctx = { discriminator: "'type'", tag }
  if (reason !== null) {
    const msg = `The node '${tag}' cannot run on this server. ${reason}`
    return { type: 'union_tag_invalid', msg, ctx }
  }
  const expected = [...catalog.keys()].map((name) => `'${name}'`).join(', ')
  const msg = `Input tag '${tag}' found using 'type' does not match any of the expected tags: ${expected}`
  return { type: 'union_tag_invalid', msg, ctx: { ...ctx, expected_tags: expected } }
}

/** Reads an input. Null means that a required input has no value yet. */
function readField(field: NodeField, input: unknown, loc: Loc, found: FaultList): unknown {
  if (input === undefined || field.isEdgeOnly) return field.default
  if (input === null && field.default === null) return null
  return readValue(field.schema, input, loc, 'graph', found)
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

const needsModel = 'It needs a model. An InvokeAI server can run it.'
const needsVideo = 'It works on videos, which this server does not store.'
const isUiHelper = 'It stands for the `data` of a batch and cannot run in a graph.'
const isNotBuilt = 'This server does not have it. An InvokeAI server can run it.'
const needsOpenCv = 'It needs OpenCV, which this server does not have.'
const needsWorkflow = 'It needs a saved workflow, and this server stores none.'
const needsPrompts = 'It needs the dynamic prompts of InvokeAI, which this server does not have.'
const usesFiles = "It reads or writes files of the server's machine, which this server does not do."
const needsMasks =
  'It works on masks that only nodes with a model take. An InvokeAI server can run it.'

/** Node types of InvokeAI that this server cannot run, with the reason. The first match counts. */
const reasons: readonly (readonly [RegExp, string])[] = [
  [/^(infill_cv2|cv_inpaint|content_shuffle|heuristic_resize)$/, needsOpenCv],
  [/^infill_patchmatch$/, 'It needs PatchMatch, which this server does not have.'],
  [/^(call_saved_workflow|workflow_return(_get|_value)?)$/, needsWorkflow],
  [/^dynamic_prompt$/, needsPrompts],
  [/^prompt_template$/, 'It needs a style preset, and this server stores none.'],
  [/^(prompt_from_file|save_image_to_file)$/, usesFiles],
  [/^(rectangle_mask|(alpha|image)_mask_to_tensor)$/, needsMasks],
  [/^(invert_tensor_mask|(apply_)?tensor_mask_to_image)$/, needsMasks],
  [/^(infill_tile|img_hue_adjust_oklch|unsharp_mask_oklab|decode_watermark)$/, isNotBuilt],
  [/^(canvas_paste_back|canvas_v2_mask_and_crop|flux_kontext_image_prep)$/, isNotBuilt],
  [/^invokeai_img_(blend|composite|dilate_erode|hue_adjust_plus|val_thresholds)$/, isNotBuilt],
  [/^invokeai_ealightness$/, isNotBuilt],
  [/^(compel|noise|scheduler|(conditioning|latents)(_collection)?|ideal_size)$/, needsModel],
  [/^(lblend|lresize|lscale|crop_latents|i2l|l2i|create_(denoise|gradient)_mask)$/, needsModel],
  [/^(controlnet|ip_adapter|t2i_adapter|freeu|seamless|clip_skip)$/, needsModel],
  [/^(esrgan|spandrel_image_to_image)(_autoscale)?$/, needsModel],
  [/^(infill_lama|grounding_dino|segment_anything|img_nsfw|img_watermark)$/, needsModel],
  [/^(face_identifier|face_mask_detection|face_off|mediapipe_face_detection)$/, needsModel],
  [/^(save_)?video$/, needsVideo],
  [/_(batch|generator)$/, isUiHelper],
  [/_generator_/, isUiHelper],
  [/^(flux|flux2|sd3|sdxl|cogview4|qwen|z_image|wan|anima|krea|hidream)_/, needsModel],
  [/(^|_)(denoise|vae|lora|model|loader|selector|encoder|encode|decode)(_|$)/, needsModel],
  [/_(latents|conditioning|prompt|l2i|i2l)$/, needsModel],
  [/^(hed|lineart|lineart_anime|dw_openpose|depth_anything|mlsd|normal_map|pidi)(_|$)/, needsModel],
  [/^(llava|text_llm|t5|clip_vision)_/, needsModel],
  [/_(video|videos)$|^video_/, needsVideo],
]

/** Limit of a name to look up, so that a long text costs little. InvokeAI's names are shorter. */
const MAX_TYPE_LENGTH = 60

/**
 * Returns the reason why this server cannot run a node type of InvokeAI, as a sentence.
 *
 * @returns `null` if the name does not look like a type of InvokeAI.
 */
export const reasonToRefuse = (type: string): string | null =>
  type.length > MAX_TYPE_LENGTH ? null : (reasons.find(([name]) => name.test(type))?.[1] ?? null)
