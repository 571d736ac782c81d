import { type AddressInfo, connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import Fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { TUS_BYTES } from '#contract/uploads/resumable-upload-operations.ts'
import { registerSlowSenders } from './slow-senders.ts'

const rules = { minBytes: 1_000, windowMs: 200, jsonMs: 600, everyMs: 20 }

const open = async (readAfterMs = 0) => {
  const app = Fastify()
  registerSlowSenders(app, rules)
  app.addContentTypeParser('*', (_request, body, done) => done(null, body))
  app.post('/', async ({ body }) => {
    await delay(readAfterMs)
    let bytes = 0
    for await (const chunk of body as AsyncIterable<Buffer>) bytes += chunk.length
    return { bytes }
  })
  await app.listen({ port: 0 })
  onTestFinished(() => app.close())
  return (app.server.address() as AddressInfo).port
}

/** Sends a body in pieces. Resolves with the response, or with '' if the server disconnects. */
const send = async (port: number, type: string, piece: string, everyMs: number) => {
  const socket = connect(port)
  socket.write(
    `POST / HTTP/1.1\r\nhost: x\r\ncontent-type: ${type}\r\ncontent-length: 9000000\r\n\r\n`,
  )
  const sending = setInterval(() => socket.write(piece), everyMs)
  let answer = ''
  socket.on('data', (data) => {
    answer += data
  })
  socket.on('error', () => undefined) // connection reset; `once` of node:events would reject
  await new Promise((resolve) => socket.once('close', resolve))
  clearInterval(sending)
  return answer
}

test('disconnects a client that sends single bytes at long intervals', async () => {
  expect(await send(await open(), 'multipart/form-data', 'x', 10)).toBe('')
})

test('disconnects a steadily sent JSON body after its deadline', async () => {
  expect(await send(await open(), 'application/x-json', 'x'.repeat(200), 10)).toBe('')
})

test.each([TUS_BYTES, 'multipart/form-data'])(
  'lets %s take longer than a JSON body, and disconnects it when it becomes slow',
  async (type) => {
    const port = await open()
    const socket = connect(port)
    let isClosed = false
    socket.once('close', () => {
      isClosed = true
    })
    socket.on('error', () => undefined)
    socket.write(
      `POST / HTTP/1.1\r\nhost: x\r\ncontent-type: ${type}\r\ncontent-length: 9000000\r\n\r\n`,
    )
    // Twice the time of a JSON body.
    const pieces = (2 * rules.jsonMs) / 10
    for (let sent = 0; sent < pieces && !isClosed; sent += 1) {
      socket.write('x'.repeat(5_000))
      await delay(10)
    }
    expect(isClosed).toBe(false)

    await expect.poll(() => isClosed, { timeout: 20_000 }).toBe(true)
  },
)

test('keeps the connection of a fast client when the server reads late', async () => {
  const port = await open(4 * rules.windowMs)

  const answer = await fetch(`http://127.0.0.1:${port}/`, {
    method: 'POST',
    headers: { 'content-type': 'multipart/form-data' },
    body: new Uint8Array(9_000_000),
  })

  expect(await answer.json()).toEqual({ bytes: 9_000_000 })
})
