import { randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { SOCKET_IO_PATH } from '#contract/events.ts'
import { type Capabilities, getCapabilities } from '#contract/server/app-operations.ts'
import { getHealth } from '#contract/server/health-operations.ts'
import { getUpstreamStatus } from '#contract/server/upstream-operations.ts'
import { Refusal } from '#server/core/refusal.ts'
import { handleError } from '#server/http/error-handler.ts'
import { type AppOptions, createGuardedApp } from '#server/http/guarded-app.ts'
import { registerPage } from '#server/http/page.ts'
import { DESCRIPTION_PATH } from '#server/http/paths.ts'
import { routerPathOf } from '#server/http/route.ts'
import { routes } from '#server/http/routes.ts'
import { forwardRequest, type ProxyContext } from './forward-request.ts'
import { SocketTunnels } from './socket-tunnels.ts'
import type { Upstream } from './upstream.ts'
import { asUpstreamRefusal } from './upstream-refusal.ts'
import type { UpstreamWatch } from './upstream-watch.ts'

export interface UpstreamAppOptions extends AppOptions {
  upstream: Upstream
  watch: UpstreamWatch
  about(): Capabilities
}

const forwardedMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** Creates the app: guards, the page, a few local routes, and forwarding of all other routes. */
export async function createUpstreamApp(options: UpstreamAppOptions): Promise<FastifyInstance> {
  const { upstream, watch, token = null } = options
  const app = await createGuardedApp(options)
  await registerPage(app, options)
  registerLocalRoutes(app, options)
  const tunnels = new SocketTunnels()
  app.addHook('preClose', async () => tunnels.close())
  watch.onChange(({ state }) => {
    if (state === 'down') tunnels.markSilent()
    else tunnels.closeSilent()
  })
  registerProxyRoutes(app, options.rateLimit !== 'off', tunnels, {
    upstream,
    isOwnToken: (bearer) => bearer === token,
    via: `1.1 tessera-${randomUUID()}`,
    onOutcome: (outcome) => watch.reportOutcome(outcome),
  })
  return app
}

function registerLocalRoutes(app: FastifyInstance, { watch, about }: UpstreamAppOptions): void {
  app.get(getCapabilities.path, async () => {
    await watch.status()
    return about()
  })
  app.get(getUpstreamStatus.path, { config: { limit: 'poll' } }, () => watch.current())
  app.get(getHealth.path, { config: { limit: 'poll' } }, async () => {
    const { state, detail } = await watch.status()
    if (state === 'down') throw new Refusal('upstream_down', detail ?? undefined)
    return { status: 'ok', version: about().version }
  })
}

function registerProxyRoutes(
  app: FastifyInstance,
  isLimited: boolean,
  tunnels: SocketTunnels,
  context: ProxyContext,
): void {
  const forward = (request: FastifyRequest, reply: FastifyReply) =>
    forwardRequest(context, request, reply)

  void app.register((proxied, _options, done) => {
    // Bodies are streamed, not parsed.
    proxied.removeAllContentTypeParsers()
    proxied.addContentTypeParser('*', (_request, _body, next) => next(null))
    // An upstream can disconnect after its response headers, before any of the body was forwarded.
    proxied.setErrorHandler((error, request, reply) =>
      handleError(asUpstreamRefusal(context.upstream.address.origin, error), request, reply),
    )
    proxied.route({ method: [...forwardedMethods], url: '/api/*', handler: forward })
    proxied.get(DESCRIPTION_PATH, forward)
    if (isLimited) registerLimitedRoutes(proxied, forward)
    proxied.route({
      method: ['GET', 'POST'],
      url: SOCKET_IO_PATH,
      config: { limit: 'poll', takesUpgrade: true },
      handler: async (request, reply) => {
        const isSocket = request.headers.upgrade?.toLowerCase() === 'websocket'
        if (isSocket) await tunnels.open(context, request, reply)
        else return forward(request, reply)
      },
    })
    done()
  })
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

/** Registers the routes of the contract with their limits, so that they count as on a server without an upstream. */
function registerLimitedRoutes(app: FastifyInstance, forward: Handler): void {
  for (const { operation, methods } of routes) {
    const url = routerPathOf(operation)
    if (operation.extension || operation.limit === undefined) continue
    app.route({ method: [...methods], url, config: { limit: operation.limit }, handler: forward })
  }
}
