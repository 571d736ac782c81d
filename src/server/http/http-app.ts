import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { MAX_JSON_BYTES } from '#contract/limits.ts'
import { Refusal } from '#server/core/refusal.ts'
import { registerEventRoutes } from '#server/http/events/event-routes.ts'
import { registerOpenapi } from '#server/http/openapi/openapi.ts'
import { isJson, parseJson } from '#server/http/validation/parse-json.ts'
import { type AppOptions, createGuardedApp } from './guarded-app.ts'
import { registerMetrics } from './metrics.ts'
import { registerPage } from './page.ts'
import type { Parts } from './parts.ts'
import { DESCRIPTION_PATH, METRICS_PATH } from './paths.ts'
import { routerPathOf } from './route.ts'
import { routes } from './routes.ts'

export interface HttpOptions extends AppOptions {
  version: string
  /** Schemas of the inputs and outputs of all node types, by component name. */
  nodeSchemas: Readonly<Record<string, unknown>>
}

/** Creates the HTTP app: guards, limits, API routes, OpenAPI description and page. */
export async function createHttpApp(parts: Parts, options: HttpOptions): Promise<FastifyInstance> {
  const app = await createGuardedApp(options, parts.requestLimits)
  // `readRequest` validates requests with the schemas of the contract.
  app.setValidatorCompiler(() => () => true)
  registerBodyParsers(app)
  await app.register(multipart, {
    throwFileSizeLimit: false,
    // Browsers send every Blob with a file name. Only the field `file` is a file in our API.
    isPartAFile: (field, _type, fileName) => field === 'file' && fileName !== undefined,
  })
  registerMetrics(app, parts.metricSources)
  await registerOpenapi(app, options)
  await registerPage(app, { ...options, imageOrigin: parts.links?.origin })
  app.addHook('onSend', async (_request, reply) => {
    // A proxy then opens no further request on this connection.
    if (parts.readiness.isStopping) reply.header('connection', 'close')
  })
  app.addHook('onRequest', async ({ routeOptions: { config } }) => {
    // Pages and probes also send these requests while nobody uses them.
    if (config.limit !== 'poll' && config.limit !== 'exempt') parts.rereads.noteUse()
  })
  registerRoutes(app, parts)
  registerEventRoutes(app, parts.eventConnections)
  return app
}

/** Methods that answer 405 on a known path unless a route implements them. */
const allMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'] as const

function registerRoutes(app: FastifyInstance, parts: Parts): void {
  const methodsOf = new Map<string, string[]>([
    [DESCRIPTION_PATH, ['GET']],
    [METRICS_PATH, ['GET']],
  ])
  for (const route of routes) {
    route.register(app, parts)
    const path = routerPathOf(route.operation)
    methodsOf.set(path, [...(methodsOf.get(path) ?? []), ...route.methods])
  }
  for (const [url, methods] of methodsOf) {
    app.route({
      method: allMethods.filter((method) => !methods.includes(method)),
      url,
      schema: { hide: true },
      handler: async (_request, reply) => {
        reply.header('allow', methods.join(', '))
        throw new Refusal('method_not_allowed')
      },
    })
  }
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** True if the route reads plain text. */
    isText?: true
  }
}

const mediaType = /^\s*[\w!#$&^.+-]+\/[\w!#$&^.+-]+\s*(?:;.*)?$/

/** Reads bodies as InvokeAI does: JSON if the content type is JSON, otherwise nothing. An empty body is absent. */
function registerBodyParsers(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ raw }) => {
    const type = raw.headers['content-type']
    // Fastify would refuse an invalid content type. InvokeAI treats it as any type that is not JSON.
    if (type !== undefined && !mediaType.test(type)) delete raw.headers['content-type']
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    '*',
    { parseAs: 'buffer', bodyLimit: MAX_JSON_BYTES },
    async (request: FastifyRequest, body: Buffer) => {
      if (isJson(request.headers['content-type'])) return parseJson(body.toString('utf8'))
      return request.routeOptions.config.isText ? body.toString('utf8') : undefined
    },
  )
}
