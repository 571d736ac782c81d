import type { GraphNode } from '#contract/graph.ts'
import { findings, type Loc, valueError } from '#server/core/findings.ts'
import type { NodeDefinition } from '#server/engine/define-node.ts'
import { Findings } from './input-findings.ts'
import type { NodeCatalog } from './node-catalog.ts'
import { fieldsOf, type NodeField } from './node-fields.ts'
import { isPlainObject, readValue } from './read-value.ts'
import { reasonToRefuse } from './refused-nodes.ts'

const text = { type: 'string' }
const flag = { type: 'boolean' }

/** A node of a submitted graph; `undefined` after a fault. `id` is the key under which it stands. */
export function readNode(
  catalog: NodeCatalog,
  input: unknown,
  newId: () => string,
  loc: Loc,
  found: Findings,
): GraphNode | undefined {
  const definition = definitionFor(catalog, input, loc, found)
  if (definition === undefined || !isPlainObject(input)) return undefined
  const at = [...loc, definition.type]
  const before = found.all.length
  const own = (name: string) => (Object.hasOwn(input, name) ? input[name] : undefined)
  const common = (schema: object, name: string, otherwise: unknown) =>
    own(name) === undefined ? otherwise : readValue(schema, own(name), [...at, name], found)

  const node: [string, unknown][] = [
    ['id', own('id') === undefined ? newId() : common(text, 'id', '')],
    ['is_intermediate', common(flag, 'is_intermediate', false)],
    ['use_cache', common(flag, 'use_cache', definition.usesCache)],
  ]
  const fields = fieldsOf(definition)
  for (const field of fields.values()) {
    node.push([field.name, readField(field, own(field.name), [...at, field.name], found)])
  }
  if (definition.keepsExtra) {
    const kept = new Set(['type', ...node.map(([name]) => name)])
    for (const [name, value] of Object.entries(input)) {
      if (!kept.has(name)) node.push([name, readValue({}, value, [...at, name], found)])
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
  found: Findings,
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

/** A node that InvokeAI has is refused with the reason, any other name with the names that there are. */
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

/** null is what an input holds that must be given or connected, and is neither yet. */
function readField(field: NodeField, input: unknown, loc: Loc, found: Findings): unknown {
  if (input === undefined || field.isEdgeOnly) return field.default
  if (input === null && field.default === null) return null
  return readValue(field.schema, input, loc, found)
}

function checkTogether(
  definition: NodeDefinition,
  node: GraphNode,
  loc: Loc,
  found: Findings,
): void {
  const fault = definition.check(node)
  if (fault !== null) found.add(valueError(fault.message), [...loc, fault.field])
}

/** What is wrong with a single value for an input; an empty list: nothing. Gives the value as it is read. */
export function readInput(field: NodeField, input: unknown): { value: unknown; faults: Findings } {
  const faults = new Findings()
  const value =
    input === null && field.default === null ? null : readValue(field.schema, input, [], faults)
  return { value, faults }
}
