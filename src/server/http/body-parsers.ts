import type { FastifyInstance, FastifyRequest } from 'fastify'
import { MAX_JSON_BYTES } from '#contract/limits.ts'
import { isJson, parseJson } from './validation/parse-json.ts'

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
export function registerBodyParsers(app: FastifyInstance): void {
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
