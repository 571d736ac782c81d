import Fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { ActiveWork } from '#server/core/active-work.ts'
import { Refusal } from '#server/core/refusal.ts'
import { LibraryState } from '#server/core/upkeep/library-state.ts'
import type { Parts } from '#server/http/parts.ts'
import { capabilitiesOf } from '#server/start/capabilities-of.ts'
import { RequestOrigin } from '#server/start/request-origin.ts'
import { importRoutes } from './imports.ts'

test('neither announces nor serves imports if several processes use the library', async () => {
  const about = capabilitiesOf({ dataFolder: 'data', redisUrl: 'redis://cache' })
  const app = Fastify()
  onTestFinished(() => app.close())
  app.setErrorHandler((error, _request, reply) =>
    reply.code(403).send(error instanceof Refusal ? error.message : 'failed'),
  )
  const parts = {
    about,
    origin: new RequestOrigin(),
    requestWork: new ActiveWork(),
    state: new LibraryState(),
  } as unknown as Parts
  for (const route of importRoutes) route.register(app, parts)

  const answer = await app.inject('/api/v1/imports/')

  expect(about.extensions).not.toContain('imports')
  expect(capabilitiesOf({ dataFolder: 'data' }).extensions).toContain('imports')
  expect(answer.statusCode).toBe(403)
  expect(answer.body).toMatch(/^Several processes use this library, and each has another disk\./)
})
