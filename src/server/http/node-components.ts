import { asComponent } from './hoist-schemas.ts'

interface Described {
  components?: { schemas?: Record<string, unknown> }
}

const referenceTo = (name: string) => ({ $ref: `#/components/schemas/${name}` })

/**
 * Puts the types of nodes into a description: each as a component, and those that can be submitted as what
 * the graph of a batch holds.
 *
 * @param nodes - By the name of the component; those that end in `Invocation` can stand in a graph.
 */
export function withNodes(
  document: Described,
  nodes: Readonly<Record<string, unknown>>,
): Described {
  const { Batch, ...schemas } = document.components?.schemas ?? {}
  const components = Object.entries(nodes).map(([name, schema]) => [name, asComponent(schema)])
  const names = Object.keys(nodes).filter((name) => name.endsWith('Invocation'))
  return {
    ...document,
    components: {
      ...document.components,
      schemas: { ...schemas, Batch: withGraph(Batch, names), ...Object.fromEntries(components) },
    },
  }
}

const withGraph = (batch: unknown, names: readonly string[]) => {
  const described = batch as { properties: { graph: object } }
  const nodes = {
    type: 'object',
    additionalProperties: {
      oneOf: names.map(referenceTo),
      discriminator: { propertyName: 'type' },
    },
  }
  const edges = { type: 'array', items: referenceTo('Edge') }
  const { additionalProperties: _, ...graph } = described.properties.graph as {
    additionalProperties?: unknown
  }
  return {
    ...described,
    properties: {
      ...described.properties,
      graph: { ...graph, properties: { id: { type: 'string' }, nodes, edges } },
    },
  }
}
