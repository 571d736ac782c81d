import { randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { SOCKET_IO_PATH } from '#contract/events.ts'
import { type Capabilities, getCapabilities, getHealth } from '#contract/server/app-operations.ts'
import { getUpstreamStatus } from '#contract/server/upstream-operations.ts'
import { Refusal } from '#server/core/refusal.ts'
import { handleError } from '#server/http/error-handler.ts'
import { createGuardedApp, type GuardOptions } from '#server/http/guarded-app.ts'
import { registerPage } from '#server/http/page.ts'
import { DESCRIPTION_PATH } from '#server/http/paths.ts'
import { routerPathOf } from '#server/http/route.ts'
import { routes } from '#server/http/routes.ts'
import { type Passing, passOn } from './pass-on.ts'
import { SocketTunnels } from './pass-socket.ts'
import type { Upstream } from './upstream.ts'
import { asUpstreamRefusal } from './upstream-refusal.ts'
import type { UpstreamWatch } from './upstream-watch.ts'

/** What an app in front of an upstream is made of. */
export interface UpstreamAppOptions extends GuardOptions {
  upstream: Upstream
  watch: UpstreamWatch
  pageFolder: string | null
  /** What the server says about itself, now. */
  about(): Capabilities
}

const passedMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** Puts it together: our guards and page, a few answers of our own, and the rest passed on. */
export async function createUpstreamApp(options: UpstreamAppOptions): Promise<FastifyInstance> {
  const { upstream, watch, token } = options
  const app = await createGuardedApp(options)
  await registerPage(app, options.pageFolder)
  registerOwnAnswers(app, options)
  const tunnels = new SocketTunnels()
  app.addHook('preClose', async () => tunnels.close())
  watch.onChange(({ state }) => {
    if (state === 'down') tunnels.doubt()
    else tunnels.cutDoubted()
  })
  registerPassing(app, options.rateLimit !== 'off', tunnels, {
    upstream,
    isOwnToken: (bearer) => bearer === token,
    via: `1.1 tessera-${randomUUID()}`,
    heard: (outcome) => watch.heard(outcome),
  })
  return app
}

function registerOwnAnswers(app: FastifyInstance, { watch, about }: UpstreamAppOptions): void {
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

function registerPassing(
  app: FastifyInstance,
  isLimited: boolean,
  tunnels: SocketTunnels,
  passing: Passing,
): void {
  const pass = (request: FastifyRequest, reply: FastifyReply) => passOn(passing, request, reply)

  void app.register((passed, _options, done) => {
    // Bodies go on as they come.
    passed.removeAllContentTypeParsers()
    passed.addContentTypeParser('*', (_request, _body, next) => next(null))
    // An answer may break off behind its head, while nothing of it has gone on.
    passed.setErrorHandler((error, request, reply) =>
      handleError(asUpstreamRefusal(passing.upstream.address.origin, error), request, reply),
    )
    passed.route({ method: [...passedMethods], url: '/api/*', handler: pass })
    passed.get(DESCRIPTION_PATH, pass)
    if (isLimited) registerLimited(passed, pass)
    passed.route({
      method: ['GET', 'POST'],
      url: SOCKET_IO_PATH,
      config: { limit: 'poll', takesUpgrade: true },
      handler: async (request, reply) => {
        const isSocket = request.headers.upgrade?.toLowerCase() === 'websocket'
        if (isSocket) await tunnels.pass(passing, request, reply)
        else return pass(request, reply)
      },
    })
    done()
  })
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

/** Where limits were asked for, each operation counts as it does on a server of ours. */
function registerLimited(app: FastifyInstance, pass: Handler): void {
  for (const { operation, methods } of routes) {
    const url = routerPathOf(operation)
    if (operation.extension || operation.limit === undefined) continue
    app.route({ method: [...methods], url, config: { limit: operation.limit }, handler: pass })
  }
}
