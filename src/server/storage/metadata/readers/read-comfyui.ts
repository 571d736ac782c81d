import {
  integerOf,
  modelNameOf,
  type NormalFields,
  nameOf,
  numberOf,
  seedOf,
  textOf,
} from '#server/storage/metadata/normal-fields.ts'
import { isObject } from '#server/storage/metadata/parse-embedded-json.ts'

const isSampler = ({ type, inputs }: ComfyuiNode): boolean =>
  /sampler/i.test(type) && ('latent_image' in inputs || 'positive' in inputs || 'guider' in inputs)

/** Returns the first of several passes: the one that starts from an empty image, not from another pass. */
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

/** Returns the nearest plain value under one of these keys. */
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

/** Returns the distinct texts that condition one side of a sampler. */
const promptOf = (graph: ComfyuiGraph, sampler: ComfyuiNode, side: 'positive' | 'negative') => {
  const start =
    graph.linked(sampler.inputs[side]) ??
    (side === 'positive' ? graph.linked(sampler.inputs.conditioning) : null)
  const texts = new Set<string>()
  const conditions = graph.upstream(start, (input, node) =>
    // In a node with both sides (a ControlNet), only the input of the same side is followed.
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
  const loras = [...nodes].flatMap(({ inputs }) => {
    const name = modelNameOf(inputs.lora_name)
    return name === null ? [] : { name, weight: numberOf(inputs.strength_model ?? inputs.strength) }
  })
  return loras.slice(0, 100)
}

/** Reads the graph that ComfyUI embeds as `prompt`. null: it is not such a graph. */
export const readComfyui = (prompt: Record<string, unknown>): NormalFields | null => {
  const graph = comfyuiGraph(prompt)
  if (graph === null) return null
  const sampler = firstPass(graph)
  if (sampler === null) return {}
  // Settings may be on separate nodes (SamplerCustomAdvanced), but never behind an image or a prompt.
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

interface ComfyuiNode {
  id: string
  type: string
  inputs: Record<string, unknown>
}

/** The nodes of a `prompt` and their links. */
type ComfyuiGraph = NonNullable<ReturnType<typeof comfyuiGraph>>

/** More nodes than real workflows have. A hostile file could contain millions. */
const MAX_NODES = 5000

/** Parses a `prompt` object. null: it has no nodes. */
const comfyuiGraph = (prompt: Record<string, unknown>) => {
  const nodes = new Map<string, ComfyuiNode>()
  for (const [id, node] of Object.entries(prompt).slice(0, MAX_NODES)) {
    if (!isObject(node) || typeof node.class_type !== 'string') continue
    nodes.set(id, { id, type: node.class_type, inputs: isObject(node.inputs) ? node.inputs : {} })
  }
  if (nodes.size === 0) return null

  /** Returns the node that an input is linked to. null: the input is a plain value. */
  const linked = (input: unknown): ComfyuiNode | null => {
    if (!Array.isArray(input) || input.length !== 2) return null
    const [id]: unknown[] = input
    return typeof id === 'string' || typeof id === 'number' ? (nodes.get(String(id)) ?? null) : null
  }
  return {
    nodes: [...nodes.values()],
    linked,
    /** Yields a node and all nodes that feed it, nearest first. `follows` selects the inputs to follow. */
    upstream: function* (
      start: ComfyuiNode | null,
      follows: (input: string, node: ComfyuiNode) => boolean = () => true,
    ) {
      const seen = new Set(start === null ? [] : [start])
      for (const node of seen) {
        yield node
        for (const [input, value] of Object.entries(node.inputs)) {
          const next = follows(input, node) ? linked(value) : null
          // A set is iterated in insertion order, including nodes added during the loop, so the nearest come first.
          if (next !== null) seen.add(next)
        }
      }
    },
    /** Returns these nodes and all nodes that they feed, directly or indirectly. */
    downstream: (starts: readonly ComfyuiNode[]): ReadonlySet<ComfyuiNode> => {
      const fedBy = new Map<ComfyuiNode, ComfyuiNode[]>()
      for (const node of nodes.values()) {
        for (const input of Object.values(node.inputs)) {
          const source = linked(input)
          if (source === null) continue
          const fed = fedBy.get(source)
          if (fed === undefined) fedBy.set(source, [node])
          else fed.push(node)
        }
      }
      const seen = new Set(starts)
      for (const node of seen) for (const fed of fedBy.get(node) ?? []) seen.add(fed)
      return seen
    },
  }
}
