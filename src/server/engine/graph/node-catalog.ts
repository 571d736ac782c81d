import type { NodeDefinition } from '#server/engine/define-node.ts'

/** The types of nodes that there are, by their names. */
export type NodeCatalog = ReadonlyMap<string, NodeDefinition>

/** @throws A bug: a graph that was checked names only types that there are. */
export function definitionOf(catalog: NodeCatalog, type: string): NodeDefinition {
  const definition = catalog.get(type)
  if (definition === undefined) throw new Error(`no node is of the type ${type}`)
  return definition
}
