import { Readable } from 'node:stream'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { isLong, sendInPieces, sendNames } from './send-in-pieces.ts'

test.each([0, 1, 1_999, 2_000, 2_001, 10_000])(
  'sends a list of %d items completely',
  async (length) => {
    const list = Array.from({ length }, (_, index) => ({ name: `"${index}"` }))
    const app = Fastify()
    app.get('/plain', (_, reply) => sendInPieces(reply, list))
    app.get('/framed', (_, reply) =>
      sendInPieces(reply, list, { before: '{"list":', after: ',"total":1}' }),
    )

    expect((await app.inject('/plain')).json()).toEqual(list)
    expect((await app.inject('/framed')).json()).toEqual({ list, total: 1 })
  },
)

test.each([0, 3, 10_000])('sends a list of %d names completely', async (length) => {
  const list = Array.from({ length }, (_, index) => `01890000-0000-7000-8000-${index}.png`)
  const json = Buffer.from(JSON.stringify(list))
  const names = () => ({ bytes: json.length, pieces: Readable.from([json]) })
  const app = Fastify()
  app.get('/plain', (_, reply) => sendNames(reply, names()))
  app.get('/framed', (_, reply) =>
    sendNames(reply, names(), { before: '{"list":', after: ',"total":1}' }),
  )

  expect((await app.inject('/plain')).json()).toEqual(list)
  expect((await app.inject('/framed')).json()).toEqual({ list, total: 1 })
})

test('sends only long lists in pieces', () => {
  expect(isLong(Array(5_000))).toBe(false)
  expect(isLong(Array(5_001))).toBe(true)
})
