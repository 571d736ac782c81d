import {
  integerOf,
  modelNameOf,
  type NormalFields,
  nameOf,
  numberOf,
  seedOf,
} from '#server/storage/metadata/normal-fields.ts'
import { modelsOf } from './comfyui/find-models.ts'
import { textReader } from './comfyui/find-text.ts'
import { type Setting, settingNodes, valueReader } from './comfyui/find-values.ts'
import { type ComfyuiGraph, type ComfyuiNode, comfyuiGraph, upstream } from './comfyui/graph.ts'
import { findOrigin, isSamplerOf } from './comfyui/passes.ts'
import { promptOfWorkflow } from './comfyui/ui-graph.ts'
import { lorasInPrompt } from './read-a1111.ts'

/** Real workflows have a handful. Each is read by a walk through the graph. */
const MAX_PASSES = 12

const setting = <T>(read: (value: unknown) => T | null, ...inputs: string[]): Setting<T> => ({
  inputs,
  read,
})
/** Seeds of 0 and above. Node packs write -1 for a seed that is drawn later. */
const drawnSeed = (value: unknown) => (numberOf(value) === -1 ? null : seedOf(value))
const optionOf = (value: unknown) =>
  typeof value === 'string' && !/^(?:none|auto|default)$/i.test(value) ? nameOf(value) : null

const settings = {
  seed: setting(drawnSeed, 'seed', 'noise_seed', 'seed_num', 'seed_value'),
  steps: setting(integerOf, 'steps', 'steps_total', 'num_steps', 'num_inference_steps'),
  cfg: setting(numberOf, 'cfg', 'cfg_scale', 'base_cfg', 'cfg_conds', 'guidance_scale', 'true_cfg'),
  sampler: setting(optionOf, 'sampler_name', 'sampler', 'sample_name'),
  scheduler: setting(optionOf, 'scheduler', 'scheduler_name'),
  denoise: setting(numberOf, 'denoise', 'denoise_strength', 'denoising_strength'),
  width: setting(integerOf, 'width', 'empty_latent_width'),
  height: setting(integerOf, 'height', 'empty_latent_height'),
  resolution: setting(nameOf, 'resolution'),
  guidance: setting(numberOf, 'guidance', 'flux_guidance'),
  any: setting((value) => (typeof value === 'object' ? null : (value ?? null))),
  serviceModel: setting(modelNameOf, 'model', 'model_name', 'model_version'),
}

const NOT_SIZE = /model|vae|clip|cond|positive|negative|text|prompt|seed|steps|cfg/i

/** Opens a reader of the nodes of one graph. */
const graphReader = (graph: ComfyuiGraph) => {
  const values = valueReader(graph)
  const anyValue = (input: unknown) => values.valueAt(input, settings.any)
  const texts = textReader(graph, anyValue)
  const isSampler = isSamplerOf(graph)

  const passOf = (sampler: ComfyuiNode) => {
    const nodes = settingNodes(graph, sampler, isSampler)
    return {
      seed: values.nearest(nodes, settings.seed),
      steps: values.nearest(nodes, settings.steps),
      cfg_scale: values.nearest(nodes, settings.cfg),
      sampler: values.nearest(nodes, settings.sampler),
      scheduler: values.nearest(nodes, settings.scheduler),
      denoise: values.nearest(nodes, settings.denoise),
      ...modelsOf(graph, sampler, values, anyValue),
    }
  }

  const promptsOf = (nodes: readonly ComfyuiNode[]) => {
    const [prompt = null] = nodes.flatMap((node) => texts.promptOf(node, 'positive') ?? [])
    const [negative = null] = nodes.flatMap((node) => texts.promptOf(node, 'negative') ?? [])
    // Models without a negative prompt get the same conditioning on both sides.
    return { prompt, negative_prompt: negative === prompt ? null : negative }
  }

  const sizeOf = (node: ComfyuiNode) => {
    const nodes = [...upstream(graph, [node], (input) => !NOT_SIZE.test(input))]
    const preset = values.nearest(nodes, settings.resolution)
    const [, width, height] = /^(\d{2,5})\s?[x×*]\s?(\d{2,5})/.exec(preset ?? '') ?? []
    if (width !== undefined) return { width: integerOf(width), height: integerOf(height) }
    return {
      width: values.nearest(nodes, settings.width),
      height: values.nearest(nodes, settings.height),
    }
  }

  const guidanceOf = (node: ComfyuiNode) => {
    const nodes = upstream(graph, [node], (input) => /positive|cond|guider|pipe/i.test(input))
    const guidance = values.nearest(nodes, settings.guidance)
    return guidance === null ? {} : { parameters: { Guidance: String(guidance) } }
  }

  const samplingFields = (samplers: readonly ComfyuiNode[], first: ComfyuiNode): NormalFields => {
    const passes = samplers.slice(0, MAX_PASSES).map(passOf)
    const [{ denoise: _, loras, ...fields } = passOf(first)] = passes
    const prompts = promptsOf(samplers.slice(0, MAX_PASSES))
    const written = lorasInPrompt(prompts.prompt ?? '')
    return {
      ...prompts,
      ...fields,
      loras: [...loras, ...written.filter(({ name }) => loras.every((lora) => lora.name !== name))],
      ...sizeOf(first),
      ...guidanceOf(first),
      ...(passes.length > 1 && { passes: passes.map(({ loras: _loras, ...pass }) => pass) }),
    }
  }

  const serviceFields = (node: ComfyuiNode): NormalFields => ({
    ...promptsOf([node]),
    model: values.nearest([node], settings.serviceModel) ?? nameOf(node.type),
    seed: values.nearest([node], settings.seed),
    steps: values.nearest([node], settings.steps),
    ...sizeOf(node),
  })

  return {
    origin: findOrigin(graph, isSampler),
    samplingFields,
    serviceFields,
    allTexts: texts.all,
  }
}

/** Reads the graph that ComfyUI embeds as `prompt`. null: it is not such a graph. */
export const readComfyui = (prompt: Record<string, unknown>): NormalFields | null => {
  const graph = comfyuiGraph(prompt)
  if (graph === null) return null
  const reader = graphReader(graph)
  const { samplers, service } = reader.origin
  const [first] = samplers
  const fields =
    first !== undefined
      ? reader.samplingFields(samplers, first)
      : service !== null
        ? reader.serviceFields(service)
        : {}
  if ((fields.prompt ?? null) !== null) return fields
  const texts = reader.allTexts()
  return texts.length === 0 ? fields : { ...fields, texts }
}

/** Reads the graph of the editor, which some files contain alone. null: it is not such a graph. */
export const readComfyuiWorkflow = (workflow: Record<string, unknown>): NormalFields | null =>
  readComfyui(promptOfWorkflow(workflow))
