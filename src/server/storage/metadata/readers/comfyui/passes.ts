import { type ComfyuiGraph, type ComfyuiNode, evaluate, type Rule, upstream } from './graph.ts'
import { isTextInput } from './inputs.ts'

const CONDITIONING = /positive|negative|cond|guider|pipe|embeds|tuple|context|ctx/i
/** Inputs behind which an earlier sampling had no part in the pixels. */
const NOT_PIXELS =
  /model|vae|clip|lora|positive|negative|cond|text|prompt|control|style|ipadapter|filename|seed|steps|cfg/i

/** Returns a test for nodes that sample: they take conditioning, and noise or steps. */
export const isSamplerOf = (graph: ComfyuiGraph): ((node: ComfyuiNode) => boolean) => {
  const test = ({ type, inputs }: ComfyuiNode): boolean => {
    if (/^context|loader|saver?$|^save|image ?save/i.test(type)) return false
    if (/sampler/i.test(type) && ('latent_image' in inputs || 'positive' in inputs)) return true
    const takesConditioning = Object.entries(inputs).some(
      ([name, value]) => CONDITIONING.test(name) && graph.linked(value) !== null,
    )
    const isLinked = (name: string) => graph.linked(inputs[name]) !== null
    const samples =
      ['seed', 'noise_seed', 'steps', 'sampler_name'].some((name) => name in inputs) ||
      ['noise', 'sampler', 'sigmas'].some(isLinked)
    return takesConditioning && samples
  }
  const samplers = new Set(graph.nodes.filter(test))
  return (node) => samplers.has(node)
}

const isImage = (input: string): boolean => /image|video|frames|picture|pixels/i.test(input)
const isSaver = (type: string): boolean =>
  /save|video_?combine|output|export|upload|image ?sender|websocket/i.test(type)

/** Returns groups of nodes at which the search for samplers begins, the most likely one first. */
const rootsOf = ({ nodes, linked }: ComfyuiGraph): ComfyuiNode[][] => {
  const links = nodes.map(({ inputs }) =>
    Object.entries(inputs).flatMap(([name, value]) => {
      const source = linked(value)
      return source === null ? [] : [{ name, source }]
    }),
  )
  const used = new Set(links.flatMap((each) => each.map(({ source }) => source)))
  const takesImage = (index: number) => links[index]?.some(({ name }) => isImage(name)) ?? false
  const ends = nodes.filter((node) => !used.has(node))
  return [
    nodes.filter(({ type }, index) => isSaver(type) && takesImage(index)),
    nodes.filter((node, index) => !used.has(node) && takesImage(index)),
    ends,
  ]
}

/** Returns true for a node that asks a service for an image: it takes words, but no model of the graph. */
const isService = (graph: ComfyuiGraph, { inputs, type }: ComfyuiNode): boolean => {
  if (/loader|^load|sampler/i.test(type)) return false
  const names = Object.keys(inputs)
  const isLinked = (name: string) => graph.linked(inputs[name]) !== null
  const hasWords = names.some((name) => isTextInput(name) && !/^value$|caption/i.test(name))
  // A node that searches a picture or writes on it takes words and a picture, too.
  const draws =
    names.some((name) => /seed|^model(?:_name)?$|negative_prompt|aspect/i.test(name)) ||
    !names.some((name) => isImage(name) && isLinked(name))
  return hasWords && draws && !names.some((name) => /model|clip/i.test(name) && isLinked(name))
}

/** The source of an image: all samplings in order, or a node that asks a service for the image. */
export interface Origin {
  samplers: ComfyuiNode[]
  service: ComfyuiNode | null
}

const originOf = (
  graph: ComfyuiGraph,
  roots: readonly ComfyuiNode[],
  isSampler: (node: ComfyuiNode) => boolean,
): Origin => {
  const samplers: ComfyuiNode[] = []
  const rule: Rule<boolean> = function* (node) {
    for (const [name, value] of Object.entries(node.inputs)) {
      const source = NOT_PIXELS.test(name) ? null : graph.linked(value)
      if (source !== null) yield source
    }
    // After all sources, so that an earlier pass precedes a later one.
    if (isSampler(node)) samplers.push(node)
    return true
  }
  const memo = new Map<ComfyuiNode, boolean>()
  for (const root of roots) evaluate(root, rule, memo)
  if (samplers.length > 0) return { samplers, service: null }
  const rootSet = new Set(roots)
  for (const node of upstream(graph, roots, (name) => !NOT_PIXELS.test(name))) {
    if (!rootSet.has(node) && isService(graph, node)) return { samplers, service: node }
  }
  return { samplers, service: null }
}

/** Walks back from the image that was saved, or, without one, from any end of the graph. */
export const findOrigin = (
  graph: ComfyuiGraph,
  isSampler: (node: ComfyuiNode) => boolean,
): Origin => {
  for (const roots of rootsOf(graph)) {
    const origin = originOf(graph, roots, isSampler)
    if (origin.samplers.length > 0 || origin.service !== null) return origin
  }
  // A graph of cycles has no end.
  return { samplers: graph.nodes.filter(isSampler), service: null }
}
