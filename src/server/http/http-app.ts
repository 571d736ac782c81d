import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { MAX_JSON_BYTES } from '#contract/limits.ts'
import { Refusal } from '#server/core/refusal.ts'
import { registerEventRoutes } from '#server/http/events/event-routes.ts'
import { registerOpenapi } from '#server/http/openapi/openapi.ts'
import { isJson, parseJson } from '#server/http/validation/parse-json.ts'
import { createGuardedApp, type GuardOptions } from './guarded-app.ts'
import { registerPage } from './page.ts'
import type { Parts } from './parts.ts'
import { DESCRIPTION_PATH } from './paths.ts'
import { routerPathOf } from './route.ts'
import { routes } from './routes.ts'

/** How the HTTP side behaves. */
export interface HttpOptions extends GuardOptions {
  version: string
  /** What each type of node takes and gives, by the names of their components. */
  nodeSchemas: Readonly<Record<string, unknown>>
  pageFolder: string | null
}

/** Puts the HTTP side together: guards, limits, the API's routes, its description and the page. */
export async function createHttpApp(parts: Parts, options: HttpOptions): Promise<FastifyInstance> {
  const app = await createGuardedApp(options)
  // Requests are read by the contract's schemas before a handler sees them.
  app.setValidatorCompiler(() => () => true)
  registerBodyParsers(app)
  await app.register(multipart, {
    throwFileSizeLimit: false,
    // Browsers name every Blob a file; of ours only `file` is one.
    isPartAFile: (field, _type, fileName) => field === 'file' && fileName !== undefined,
  })
  await registerOpenapi(app, options)
  await registerPage(app, options.pageFolder)
  registerRoutes(app, parts)
  registerEventRoutes(app, parts.eventConnections)
  return app
}

/** What a known path answers to a method that it has not. */
const allMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'] as const

function registerRoutes(app: FastifyInstance, parts: Parts): void {
  const methodsOf = new Map<string, string[]>([[DESCRIPTION_PATH, ['GET']]])
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
    /** Whether the route reads plain text. */
    isText?: true
  }
}

const mediaType = /^\s*[\w!#$&^.+-]+\/[\w!#$&^.+-]+\s*(?:;.*)?$/

/**
 * Reads bodies as InvokeAI does: JSON where the content type says so, nothing where it says something
 * else, and an empty body is no body whatever it is called (wire 0).
 */
function registerBodyParsers(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ raw }) => {
    const type = raw.headers['content-type']
    // Fastify refuses what it cannot read; to the wire it is one more type that is not JSON.
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
