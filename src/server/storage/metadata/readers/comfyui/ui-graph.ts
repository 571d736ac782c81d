import { isObject, plainText } from '#server/storage/metadata/parse-embedded-json.ts'
import { widgetsOf } from './widgets.ts'

/** Like the graph that ran, a real workflow has fewer nodes. */
const MAX_NODES = 10_000
/** Subgraphs inside each other. A hostile one could contain itself. */
const MAX_DEPTH = 8
const MUTED = 2
const BYPASSED = 4
/** The IDs inside a subgraph that represent its inputs and outputs. */
const SUBGRAPH_INPUT = '-10'
const SUBGRAPH_OUTPUT = '-20'

const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
const objects = (value: unknown): Record<string, unknown>[] => list(value).filter(isObject)

interface UiNode {
  id: string
  type: string
  mode: unknown
  /** The links of its inputs, in order. */
  inputs: { name: unknown; link: unknown; type: unknown }[]
  outputTypes: unknown[]
  firstValue: unknown
  written: Record<string, unknown>
}

/** One graph of the editor: the workflow itself, or the definition of a subgraph. */
interface Definition {
  nodes: UiNode[]
  byId: Map<string, UiNode>
  /** The node and output that a link comes from. */
  sources: Map<unknown, { id: string; slot: number }>
  /** The link that feeds an output of the subgraph. */
  outputs: Map<number, unknown>
  /** The node that stores a value under the name that a `GetNode` reads. */
  setters: Map<unknown, UiNode>
}

/** A definition in one place of the workflow. */
interface Scope {
  prefix: string
  definition: Definition
  inner: Map<UiNode, Scope>
  outer: { scope: Scope; node: UiNode } | null
  resolved: Map<unknown, unknown>
}

const nodeOf = (written: Record<string, unknown>): UiNode => ({
  id: plainText(written.id),
  type: typeof written.type === 'string' ? written.type : '',
  mode: written.mode,
  inputs: objects(written.inputs).map(({ name, link, type }) => ({ name, link, type })),
  outputTypes: objects(written.outputs).map(({ type }) => type),
  firstValue: list(written.widgets_values)[0],
  written,
})

const linkBetween = (id: unknown, from: readonly unknown[], to: readonly unknown[]) => ({
  id,
  from: plainText(from[0]),
  slot: Number(plainText(from[1])),
  to: plainText(to[0]),
  toSlot: Number(plainText(to[1])),
})

/** Links are `[id, source, slot, target, slot, type]`, or objects in subgraphs. */
const linkOf = (link: unknown) => {
  if (Array.isArray(link)) {
    const [id, from, slot, to, toSlot]: unknown[] = link
    return linkBetween(id, [from, slot], [to, toSlot])
  }
  if (!isObject(link)) return null
  const { id, origin_id: from, origin_slot: slot, target_id: to, target_slot: toSlot } = link
  return linkBetween(id, [from, slot], [to, toSlot])
}

const definitionOf = (graph: Record<string, unknown>): Definition => {
  const nodes = objects(graph.nodes).map(nodeOf)
  const links = list(graph.links).flatMap((link) => linkOf(link) ?? [])
  return {
    nodes,
    byId: new Map(nodes.map((node) => [node.id, node])),
    sources: new Map(links.map(({ id, from, slot }) => [id, { id: from, slot }])),
    outputs: new Map(
      links.filter(({ to }) => to === SUBGRAPH_OUTPUT).map(({ id, toSlot }) => [toSlot, id]),
    ),
    setters: new Map(
      nodes.filter(({ type }) => type === 'SetNode').map((node) => [node.firstValue, node]),
    ),
  }
}

/** Returns the input that a node passes on unchanged, which then does not run. null: the node runs. */
const passedLink = (
  { definition }: Scope,
  node: UiNode,
  slot: number,
): { link: unknown } | null => {
  if (node.type === 'Reroute' || node.type === 'SetNode') return { link: node.inputs[0]?.link }
  if (node.type === 'GetNode') {
    return { link: definition.setters.get(node.firstValue)?.inputs[0]?.link }
  }
  if (node.mode !== BYPASSED) return null
  const outputType = node.outputTypes[slot]
  return { link: node.inputs.find(({ type }) => type === outputType)?.link }
}

type Prompt = Record<string, { class_type: string; inputs: Record<string, unknown> }>

/**
 * Converts the graph of ComfyUI's editor into the form of the graph that ran (`prompt`), for files that contain only
 * the `workflow`: leaves out muted and bypassed nodes and reroutes, and expands subgraphs with IDs such as `57:3`.
 */
export const promptOfWorkflow = (workflow: Record<string, unknown>): Prompt => {
  const subgraphs = new Map(
    objects(isObject(workflow.definitions) ? workflow.definitions.subgraphs : null).map(
      (subgraph) => [subgraph.id, definitionOf(subgraph)],
    ),
  )
  const prompt: Prompt = {}
  let left = MAX_NODES

  const open = (definition: Definition, prefix: string, outer: Scope['outer']): Scope => ({
    prefix,
    definition,
    inner: new Map(),
    outer,
    resolved: new Map(),
  })

  const enter = (scope: Scope, node: UiNode): Scope | null => {
    const definition = subgraphs.get(node.type)
    const prefix = `${scope.prefix}${node.id}:`
    if (definition === undefined || prefix.split(':').length > MAX_DEPTH + 1) return null
    const known = scope.inner.get(node) ?? open(definition, prefix, { scope, node })
    scope.inner.set(node, known)
    return known
  }

  /** Returns the next link of a value, or the value itself. */
  const step = (
    scope: Scope,
    link: unknown,
  ): { scope: Scope; link: unknown } | { value: unknown } => {
    const source = scope.definition.sources.get(link)
    if (source === undefined) return { value: undefined }
    if (source.id === SUBGRAPH_INPUT && scope.outer !== null) {
      const { scope: outer, node } = scope.outer
      return { scope: outer, link: node.inputs[source.slot]?.link }
    }
    const node = scope.definition.byId.get(source.id)
    if (node === undefined || node.mode === MUTED) return { value: undefined }
    if (node.type === 'PrimitiveNode') return { value: node.firstValue }
    if (subgraphs.has(node.type)) {
      const inner = enter(scope, node)
      if (inner === null) return { value: undefined }
      return { scope: inner, link: inner.definition.outputs.get(source.slot) }
    }
    const passed = passedLink(scope, node, source.slot)
    return passed === null
      ? { value: [`${scope.prefix}${node.id}`, source.slot] }
      : { scope, link: passed.link }
  }

  /** Follows a link to a node that runs, or to a plain value. Remembers each link on the way. */
  const resolve = (start: Scope, startLink: unknown): unknown => {
    const passed: { scope: Scope; link: unknown }[] = []
    let at = { scope: start, link: startLink }
    let value: unknown
    for (;;) {
      if (at.scope.resolved.has(at.link)) {
        value = at.scope.resolved.get(at.link)
        break
      }
      // Also ends a circle of reroutes.
      at.scope.resolved.set(at.link, undefined)
      passed.push(at)
      const next = step(at.scope, at.link)
      if ('value' in next) {
        value = next.value
        break
      }
      at = next
    }
    for (const { scope, link } of passed) scope.resolved.set(link, value)
    return value
  }

  const add = (scope: Scope): void => {
    for (const node of scope.definition.nodes) {
      if (left <= 0) return
      if (node.mode === MUTED || node.mode === BYPASSED) continue
      if (/^(?:Reroute|PrimitiveNode|GetNode|SetNode|Note|MarkdownNote|)$/.test(node.type)) continue
      left -= 1
      const inner = enter(scope, node)
      if (inner !== null) add(inner)
      if (subgraphs.has(node.type)) continue
      const inputs: Record<string, unknown> = widgetsOf(node.written)
      for (const { name, link } of node.inputs) {
        const value = link === null || link === undefined ? undefined : resolve(scope, link)
        if (typeof name === 'string' && value !== undefined) inputs[name] = value
      }
      prompt[`${scope.prefix}${node.id}`] = { class_type: node.type, inputs }
    }
  }
  add(open(definitionOf(workflow), '', null))
  return prompt
}
