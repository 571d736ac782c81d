import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import { hoistSchemas } from './hoist-schemas.ts'
import { withNodes } from './node-components.ts'
import { DESCRIPTION_PATH } from './paths.ts'
import { isBodyRequired } from './validation/is-body-required.ts'
import type { SchemaNode } from './validation/schema-node.ts'

/** Collects the routes that follow into the description, OpenAPI 3.1, beside the nodes that a graph may hold. */
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
          "Boards and images on InvokeAI's wire. What only Tessera's server can do is marked `x-extension` " +
          '(operations) and `x-extension-fields` (parameters and keys).',
      },
      tags: [
        { name: 'boards', description: 'Boards and the images on them' },
        { name: 'images', description: 'Images: files, thumbnails, records and metadata' },
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
    document ??= withNodes(hoistSchemas(withBodiesAsRead(app.swagger())), nodeSchemas)
    return document
  })
}

interface Described {
  requestBody?: { required: boolean; content: Record<string, { schema: SchemaNode }> }
}

/** The plugin calls every body required; a JSON body is by the rule that reads it. */
function withBodiesAsRead<T extends { paths?: object }>(document: T): T {
  for (const path of Object.values(document.paths ?? {})) {
    for (const [method, { requestBody }] of Object.entries<Described>(path)) {
      const schema = requestBody?.content['application/json']?.schema
      if (requestBody && schema) requestBody.required = isBodyRequired(method, schema)
    }
  }
  return document
}
