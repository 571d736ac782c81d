import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { handleError } from './error-handler.ts'

test.each(['EMFILE', 'ENFILE', 'EAGAIN'])(
  'answers 503 busy for %s, with Retry-After',
  async (code) => {
    const app = Fastify()
    app.setErrorHandler(handleError)
    app.get('/', () => {
      throw Object.assign(new Error(code), { code })
    })

    const { statusCode, headers } = await app.inject('/')

    expect(statusCode).toBe(503)
    expect(headers['x-refusal-code']).toBe('busy')
  },
)
