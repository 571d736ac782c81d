import { type ComfyuiGraph, type ComfyuiNode, comfyuiGraph } from './comfyui-graph.ts'
import {
  integerOf,
  modelNameOf,
  type NormalFields,
  nameOf,
  numberOf,
  seedOf,
  textOf,
} from './normal-fields.ts'

const isSampler = ({ type, inputs }: ComfyuiNode): boolean =>
  /sampler/i.test(type) && ('latent_image' in inputs || 'positive' in inputs || 'guider' in inputs)

/** The first of several passes: the one that starts from an empty picture, not from another pass. */
const firstPass = (graph: ComfyuiGraph): ComfyuiNode | null => {
  const samplers = graph.nodes.filter(isSampler)
  // One walk for all samplers. A walk for each would take quadratic time in a hostile graph.
  const afterSampler = graph.downstream(samplers)
  const fromNothing = samplers.find(({ inputs }) => {
    const latent = graph.linked(inputs.latent_image)
    return latent === null || !afterSampler.has(latent)
  })
  return fromNothing ?? samplers[0] ?? null
}

/** The nearest plain value under one of these keys. */
const nearest = <T>(
  nodes: Iterable<ComfyuiNode>,
  keys: readonly string[],
  read: (value: unknown) => T | null,
): T | null => {
  for (const { inputs } of nodes) {
    for (const key of keys) {
      const value = read(inputs[key])
      if (value !== null) return value
    }
  }
  return null
}

const textKeys = ['text', 'text_g', 'text_l', 't5xxl', 'clip_l', 'prompt', 'positive_prompt']
const plainTextKeys = [...textKeys, 'string', 'value', 'text_0', 'wildcard_text', 'populated_text']

/** The texts that condition one side of a sampler, each once. */
const promptOf = (
  graph: ComfyuiGraph,
  sampler: ComfyuiNode,
  side: 'positive' | 'negative',
): string | null => {
  const start =
    graph.linked(sampler.inputs[side]) ??
    (side === 'positive' ? graph.linked(sampler.inputs.conditioning) : null)
  const texts = new Set<string>()
  const conditions = graph.upstream(start, (input, node) =>
    // A node that passes both sides on (a ControlNet) must not give us the other one's text.
    side in node.inputs ? input === side : !/^(?:clip|model|vae|image|latent|pixels)/.test(input),
  )
  for (const { inputs } of conditions) {
    for (const key of plainTextKeys) {
      const text = textOf(inputs[key])
      if (text !== null) texts.add(text)
    }
  }
  return texts.size === 0 ? null : textOf([...texts].join('\n'))
}

const lorasOf = (nodes: Iterable<ComfyuiNode>): { name: string; weight: number | null }[] => {
  const loras: { name: string; weight: number | null }[] = []
  for (const { inputs } of nodes) {
    const name = modelNameOf(inputs.lora_name)
    if (name === null || loras.length === 100) continue
    loras.push({ name, weight: numberOf(inputs.strength_model ?? inputs.strength) })
  }
  return loras
}

/** Reads the graph that ComfyUI embeds as `prompt`. null: it is no such graph. */
export const readComfyui = (prompt: Record<string, unknown>): NormalFields | null => {
  const graph = comfyuiGraph(prompt)
  if (graph === null) return null
  const sampler = firstPass(graph)
  if (sampler === null) return {}
  // Settings may stand on nodes of their own (SamplerCustomAdvanced), but never behind a picture or a prompt.
  const settings = [
    ...graph.upstream(
      sampler,
      (input) => !/^(?:positive|negative|conditioning|latent|vae|clip|image|samples)/.test(input),
    ),
  ]
  const guider = graph.linked(sampler.inputs.guider) ?? sampler
  const latents = [...graph.upstream(graph.linked(sampler.inputs.latent_image))]
  return {
    prompt: promptOf(graph, guider, 'positive'),
    negative_prompt: promptOf(graph, guider, 'negative'),
    model: nearest(
      settings,
      ['ckpt_name', 'unet_name', 'model_name', 'base_ckpt_name'],
      modelNameOf,
    ),
    seed: nearest(settings, ['seed', 'noise_seed'], seedOf),
    steps: nearest(settings, ['steps'], integerOf),
    cfg_scale: nearest(settings, ['cfg'], numberOf),
    sampler: nearest(settings, ['sampler_name'], nameOf),
    scheduler: nearest(settings, ['scheduler'], nameOf),
    loras: lorasOf(settings),
    width: nearest(latents, ['width'], integerOf),
    height: nearest(latents, ['height'], integerOf),
  }
}
