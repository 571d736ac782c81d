import { InvalidRequest, type ValidationFault } from './fault.ts'

/** A node with all inputs of its type. */
export interface FakeNode {
  id: string
  type: string
  is_intermediate: boolean
  use_cache: boolean
  [input: string]: unknown
}

export interface FakeGraph {
  id: string
  nodes: Record<string, FakeNode>
  edges: { source: EdgeEnd; destination: EdgeEnd }[]
}

interface EdgeEnd {
  node_id: string
  field: string
}

const SAVING = { board: null, metadata: null }
const PICTURE = { ...SAVING, image: null }

/** The inputs of every known node type with their defaults. */
const INPUTS: Record<string, Record<string, unknown>> = {
  core_metadata: { positive_prompt: null, negative_prompt: null, seed: null, model: null },
  metadata_from_image: { image: null },
  noise: { seed: 0, width: 512, height: 512, use_cpu: true },
  denoise_latents: { noise: null, steps: 10, cfg_scale: 7.5, scheduler: 'euler' },
  l2i: { ...SAVING, latents: null, vae: null, tiled: false, fp32: false },
  blank_image: { ...SAVING, width: 512, height: 512, mode: 'RGB' },
  save_image: PICTURE,
  img_resize: { ...PICTURE, width: 512, height: 512, resample_mode: 'bicubic' },
  img_scale: { ...PICTURE, scale_factor: 2, resample_mode: 'bicubic' },
  img_crop: { ...PICTURE, x: 0, y: 0, width: 512, height: 512 },
  img_blur: { ...PICTURE, radius: 8, blur_type: 'gaussian' },
  unsharp_mask: { ...PICTURE, radius: 2, strength: 50 },
  invokeai_img_enhance: {
    ...PICTURE,
    ...{ invert: false, color: 1, contrast: 1, brightness: 1, sharpness: 1 },
  },
  img_conv: { ...PICTURE, mode: 'L' },
  tomask: { ...PICTURE, invert: false },
  mask_from_id: { ...PICTURE, color: null, threshold: 100, invert: false },
}

/** True if the node saves a mask. */
export const makesMask = ({ type }: FakeNode): boolean => ['tomask', 'mask_from_id'].includes(type)

/** True if the node saves an image. */
export const savesImage = ({ type }: FakeNode): boolean => 'board' in (INPUTS[type] ?? {})

/** True if the node needs a model. The fake has none and draws an image instead. */
export const needsModel = ({ type }: FakeNode): boolean =>
  ['noise', 'denoise_latents', 'l2i'].includes(type)

/** Reads a submitted graph: fills in defaults and drops unknown inputs, as InvokeAI does. */
export function readGraph(value: unknown): FakeGraph {
  const graph = objectOf(value)
  const nodes = Object.entries(objectOf(graph.nodes)).map(([key, node]) => readNode(key, node))
  const known = new Set(nodes.map(({ id }) => id))
  const edges = (Array.isArray(graph.edges) ? graph.edges : []) as FakeGraph['edges']
  for (const { source, destination } of edges) {
    for (const [end, { node_id }] of Object.entries({ source, destination })) {
      if (known.has(node_id)) continue
      const name = end === 'source' ? 'Edge source' : 'Edge destination'
      throw graphError(['graph'], `${name} node ${node_id} does not exist in the graph`)
    }
  }
  return {
    id: String(graph.id ?? 'graph'),
    nodes: Object.fromEntries(nodes.map((node) => [node.id, node])),
    edges,
  }
}

/** Sorts nodes so that each follows the nodes that it depends on. */
export function sortByDependency({ nodes, edges }: FakeGraph): FakeNode[] {
  const done = new Set<string>()
  const ordered: FakeNode[] = []
  const visit = (id: string) => {
    const node = nodes[id]
    if (node === undefined || done.has(id)) return
    done.add(id)
    for (const edge of edges) if (edge.destination.node_id === id) visit(edge.source.node_id)
    ordered.push(node)
  }
  for (const id of Object.keys(nodes)) visit(id)
  return ordered
}

function readNode(key: string, value: unknown): FakeNode {
  const given = objectOf(value)
  const type = String(given.type)
  const inputs = INPUTS[type]
  const loc = ['body', 'batch', 'graph', 'nodes', key]
  if (inputs === undefined) {
    const tags = Object.keys(INPUTS).map((tag) => `'${tag}'`)
    const msg = `Input tag '${type}' found using 'type' does not match any of the expected tags: ${tags.join(', ')}`
    throw new InvalidRequest([{ type: 'union_tag_invalid', loc, msg, input: value }])
  }
  const id = String(given.id)
  if (id !== key) throw graphError(['graph'], `Node ids must match, got ${key} and ${id}`)
  const own = Object.entries(inputs).map(([name, value]) => [name, given[name] ?? value])
  return {
    id,
    type,
    is_intermediate: given.is_intermediate === true,
    use_cache: given.use_cache !== false,
    ...Object.fromEntries(own),
  }
}

/** Creates the error for a graph or batch that breaks a rule. */
export function graphError(at: string[], reason: string): InvalidRequest {
  const fault: ValidationFault = {
    type: 'value_error',
    loc: ['body', 'batch', ...at],
    msg: `Value error, ${reason}`,
    input: {},
    ctx: { error: {} },
  }
  return new InvalidRequest([fault])
}

const objectOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {}
