import type { NodeDefinition } from '#server/engine/define-node.ts'

/** All node types, by name. */
export type NodeCatalog = ReadonlyMap<string, NodeDefinition>

/** @throws {Error} The type does not exist, which is a bug: a checked graph has only known types. */
export function definitionOf(catalog: NodeCatalog, type: string): NodeDefinition {
  const definition = catalog.get(type)
  if (definition === undefined) throw new Error(`no node is of the type ${type}`)
  return definition
}
