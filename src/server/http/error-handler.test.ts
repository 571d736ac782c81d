import { PassThrough } from 'node:stream'
import Fastify, { LogController } from 'fastify'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { Refusal } from '#server/core/refusal.ts'
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

/** Answers a request whose route throws, and returns the answer with the log. */
const answerTo = async (error: Error) => {
  const log = new PassThrough()
  const app = Fastify({
    loggerInstance: pino({ level: 'warn' }, log),
    genReqId: () => 'the-id',
    logController: new LogController({ requestIdLogLabel: 'requestId' }),
  })
  app.setErrorHandler(handleError)
  app.get('/', () => {
    throw error
  })
  const { statusCode, body } = await app.inject('/')
  const line = log.read()?.toString() ?? null
  return { statusCode, body, log: line === null ? null : JSON.parse(line) }
}

test('tells the user the ID of a request that failed, and logs it', async () => {
  const { statusCode, body, log } = await answerTo(new Error('a bug'))

  expect(statusCode).toBe(500)
  expect(body).toBe('Internal Server Error (request ID the-id)')
  expect(log).toMatchObject({ requestId: 'the-id', err: { message: 'a bug' } })
})

test('logs a refusal that is a fault of the server, with its cause', async () => {
  const cause = new Error('connection lost')

  const { log } = await answerTo(new Refusal('database_down', undefined, { cause }))

  expect(log).toMatchObject({ requestId: 'the-id', code: 'database_down' })
  expect(log.err.message).toBe('connection lost')
})

test.each(['board_not_found', 'library_read_only', 'stopping'] as const)(
  'does not log %s',
  async (code) => {
    expect((await answerTo(new Refusal(code))).log).toBeNull()
  },
)
