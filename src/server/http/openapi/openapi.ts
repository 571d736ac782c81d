import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import * as board from '#contract/board.ts'
import * as image from '#contract/image.ts'
import * as metadata from '#contract/metadata.ts'
import * as graph from '#contract/queue/graph.ts'
import * as queue from '#contract/queue/queue.ts'
import * as refusals from '#contract/refusal-bodies.ts'
import * as trash from '#contract/trash-operations.ts'
import * as uploads from '#contract/uploads/upload-operations.ts'
import type { ValueSchema } from '#server/core/validation/value-schema.ts'
import { DESCRIPTION_PATH } from '#server/http/paths.ts'
import { isBodyRequired } from '#server/http/validation/read-body.ts'

/** Registers the OpenAPI 3.1 description of all routes registered afterwards, including the nodes of a graph. */
export async function registerOpenapi(
  app: FastifyInstance,
  { version, nodeSchemas }: { version: string; nodeSchemas: Readonly<Record<string, unknown>> },
): Promise<void> {
  await app.register(swagger, {
    exposeHeadRoutes: true,
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Tessera',
        version,
        description:
          "InvokeAI's API for boards, images and the queue. `x-extension` marks operations that only Tessera has, " +
          '`x-extension-fields` names such parameters and keys.',
      },
      tags: [
        { name: 'boards', description: 'Boards and the images on them' },
        { name: 'images', description: 'Images: files, thumbnails, records and metadata' },
        { name: 'videos', description: 'Videos: files, posters, records and metadata' },
        { name: 'gallery', description: 'Images and videos in one list' },
        { name: 'trash', description: 'Deleted images and boards, which can be restored' },
        { name: 'imports', description: 'Imports of folders of the server' },
        { name: 'queue', description: 'Graphs that wait, run or have ended' },
        { name: 'models', description: 'Model files for the nodes of graphs' },
        { name: 'auth', description: 'Sign-in' },
        { name: 'app', description: 'The server itself' },
      ],
      components: {
        securitySchemes: {
          token: { type: 'http', scheme: 'bearer', description: 'Where the server has a token' },
        },
      },
      security: [{}, { token: [] }],
    },
  })
  let document: object | undefined
  app.get(DESCRIPTION_PATH, { schema: { hide: true } }, async () => {
    document ??= withNodes(hoistSchemas(withRequiredBodies(app.swagger())), nodeSchemas)
    return document
  })
}

interface Described {
  requestBody?: { required: boolean; content: Record<string, { schema: ValueSchema }> }
}

/** The plugin marks every body as required. `isBodyRequired` decides for JSON bodies. */
function withRequiredBodies<T extends { paths?: object }>(document: T): T {
  for (const path of Object.values(document.paths ?? {})) {
    for (const [method, { requestBody }] of Object.entries<Described>(path)) {
      const schema = requestBody?.content['application/json']?.schema
      if (requestBody && schema) requestBody.required = isBodyRequired(method, schema)
    }
  }
  return document
}

interface OpenApiDocument {
  components?: { schemas?: Record<string, unknown> }
}

const referenceTo = (name: string) => ({ $ref: `#/components/schemas/${name}` })

/**
 * Adds the node types to the components of a description, and references the submittable ones in the graph of a
 * batch.
 *
 * @param nodes - By component name. Names that end in `Invocation` can be nodes of a graph.
 */
function withNodes(
  document: OpenApiDocument,
  nodes: Readonly<Record<string, unknown>>,
): OpenApiDocument {
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

/** Schemas that the description defines once as components, with the names that generated clients give them. */
const schemaNames = [
  'Batch',
  'BatchDatum',
  'BatchStatus',
  'BatchUploadLine',
  'Board',
  'BoardChanges',
  'BoardsPage',
  'DeleteBoardResult',
  'DeleteImagesResult',
  'DestinationCounts',
  'Edge',
  'EdgeEnd',
  'EnqueueBatchResult',
  'Graph',
  'GraphNode',
  'GraphSession',
  'ImageChanges',
  'ImageField',
  'ImageNamesResult',
  'ImageRecord',
  'ImagesPage',
  'NodeFieldValue',
  'NodeOutput',
  'NormalMetadata',
  'ProcessorStatus',
  'QueueItem',
  'QueueItemSummary',
  'QueueItemWithoutNulls',
  'QueueStatus',
  'RefusalBody',
  'RestoreResult',
  'SessionQueueStatus',
  'TrashPage',
  'TrashResult',
  'ValidationBody',
  'ValidationFault',
  'Workflow',
] as const

const exported = {
  ...{ ...board, ...image, ...metadata, ...graph },
  ...{ ...queue, ...refusals, ...trash, ...uploads },
}
const namedSchemas = schemaNames.map((name) => [name, exported[name]] as const)

/** Rewrites `patternProperties` as `additionalProperties`, as the plugin does, so that schemas compare equal. */
const normalize = (node: unknown): unknown => {
  if (Array.isArray(node)) return node.map(normalize)
  if (typeof node !== 'object' || node === null) return node
  const { patternProperties, ...rest } = node as { patternProperties?: object }
  const written = Object.entries(rest).map(([key, value]) => [key, normalize(value)])
  const [anything] = Object.values(patternProperties ?? {})
  return {
    ...Object.fromEntries(written),
    ...(anything !== undefined && { additionalProperties: normalize(anything) }),
  }
}

const nameOf = new Map(
  namedSchemas.map(([name, schema]) => [JSON.stringify(normalize(schema)), name]),
)

/** Replaces named schemas with references, from the outside in. */
const withReferences = (node: unknown): unknown => {
  const name = nameOf.get(JSON.stringify(node))
  return name === undefined ? withInnerReferences(node) : { $ref: `#/components/schemas/${name}` }
}

const withInnerReferences = (node: unknown): unknown => {
  if (Array.isArray(node)) return node.map(withReferences)
  if (typeof node !== 'object' || node === null) return node
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => [key, withReferences(value)]),
  )
}

/** Converts a schema to a component, with references to other components. */
const asComponent = (schema: unknown): unknown => withInnerReferences(normalize(schema))

/** Moves the named schemas of an OpenAPI document to `components`. */
function hoistSchemas(document: object): object {
  const schemas = Object.fromEntries(
    namedSchemas.map(([name, schema]) => [name, asComponent(schema)]),
  )
  const hoisted = withInnerReferences(document) as { components?: object }
  return { ...hoisted, components: { ...hoisted.components, schemas } }
}
