import type { GraphNode, NodeOutput } from '#contract/queue/graph.ts'
import { fieldsOf, type NodeField, outputsOf } from '#server/engine/graph/node-fields.ts'
import { readInput } from '#server/engine/graph/read-node.ts'
import { NodeFault } from '#server/engine/node-fault.ts'
import { isBranch, type PreparedEdge, type PreparedNode } from './prepared-node.ts'
import { comparePaths } from './session-state.ts'

type Results = ReadonlyMap<PreparedNode, NodeOutput>

/**
 * Writes the values of incoming edges into a prepared node.
 *
 * @throws {NodeFault} `NodeInputError`: a value is invalid for its input.
 */
export function fillInputs(prepared: PreparedNode, results: Results): void {
  const { node, definition } = prepared
  const edgeValues = edgeValuesOf(prepared, results)
  const fields = fieldsOf(definition)
  const filled: [string, unknown][] = Object.entries(node).map(([name, value]) => {
    const field = fields.get(name)
    if (!field || (value === null && !edgeValues.has(name))) return [name, value]
    return [name, readOr(prepared, field, edgeValues.has(name) ? edgeValues.get(name) : value)]
  })
  prepared.node = Object.fromEntries(filled) as GraphNode
  const fault = definition.check(prepared.node)
  if (fault !== null) throw inputError(prepared, fault.field, fault.message)
}

function readOr(prepared: PreparedNode, field: NodeField, value: unknown): unknown {
  const read = readInput(field, value)
  const [fault] = read.faults.all
  if (fault === undefined) return read.value
  const inner = fault.loc.map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`))
  throw inputError(prepared, `${field.name}${inner.join('')}`, fault.msg)
}

const inputError = ({ node }: PreparedNode, field: string, reason: string) =>
  new NodeFault(
    `Node ${node.id} has invalid incoming input for ${field}: ${reason}`,
    'NodeInputError',
  )

/** Returns the values of incoming edges, by input. If an input has several edges, the last one wins. */
function edgeValuesOf(prepared: PreparedNode, results: Results): Map<string, unknown> {
  const edgeValue = (edge: PreparedEdge) =>
    asPython(edge, results.get(edge.source)?.[edge.sourceField])
  if (prepared.definition.type === 'collect') {
    return new Map([['collection', gatherItems(prepared, edgeValue)]])
  }
  if (prepared.definition.type === 'iterate') {
    listFor(prepared, results)
    return new Map()
  }
  const edges = prepared.inputs.filter((edge) => !isBranch(edge) || edge.field === prepared.chosen)
  return new Map(edges.map((edge) => [edge.field, edgeValue(edge)]))
}

/**
 * Returns the list of an `iterate`. Copies do not store it: a thousand copies would hold a million items.
 *
 * @throws {NodeFault} `NodeInputError`: the value is not a list.
 */
export function listFor(prepared: PreparedNode, results: Results): readonly unknown[] {
  const edge = prepared.inputs.find(({ field }) => field === 'collection')
  const list = edge && results.get(edge.source)?.[edge.sourceField]
  if (Array.isArray(list)) return list
  throw inputError(prepared, 'collection', 'Input should be a valid list')
}

/** Returns the items of a `collect`: items of lists first, then single items, each in iteration order. */
function gatherItems(
  { inputs }: PreparedNode,
  edgeValue: (edge: PreparedEdge) => unknown,
): unknown[] {
  const into = (field: string) =>
    inputs
      .filter((edge) => edge.field === field)
      .sort((a, b) => comparePaths(a.source.path, b.source.path))
      .map(edgeValue)
  return [...into('collection').flat(1), ...into('item')]
}

/** Formats a float for a string input like Python: 1.0 instead of 1. */
function asPython({ source, sourceField, target, field }: PreparedEdge, value: unknown): unknown {
  if (typeof value !== 'number' || !Number.isInteger(value) || Math.abs(value) >= 1e16) return value
  const isFloat = outputsOf(source.definition)[sourceField]?.type === 'number'
  const isText = fieldsOf(target.definition).get(field)?.schema.type === 'string'
  return isFloat && isText ? `${value}.0` : value
}

/**
 * Returns the fault for the first required input without a value, or null.
 *
 * The message is InvokeAI's, which names the type instead of the node.
 */
export function missingInput({ definition, node }: PreparedNode): NodeFault | null {
  for (const field of fieldsOf(definition).values()) {
    if (!field.isRequired || (node[field.name] ?? null) !== null) continue
    const [missing, type] = field.isEdgeOnly
      ? ['connections', 'RequiredConnectionException']
      : ['value or connection', 'MissingInputException']
    return new NodeFault(`Node ${definition.type} missing ${missing} for field ${field.name}`, type)
  }
  return null
}
