import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import { type ServerEvent, TOO_SLOW_CLOSE_CODE } from '#contract/events.ts'
import { LocalSocketPlaces } from '#server/core/events/socket-places.ts'
import { type RawSocketBounds, RawSockets } from './raw-sockets.ts'

/** Opens sockets on a separate server, with limits that a test can reach. */
async function open(bounds: RawSocketBounds) {
  const sockets = new RawSockets(new LocalSocketPlaces(), bounds)
  let callers = 0
  const server = createServer().on('upgrade', (request, stream, head) => {
    callers += 1
    sockets.accept(request, stream, head, { address: 'here', clientId: `client ${callers}` })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(async () => {
    await sockets.close()
    server.close()
  })
  return { sockets, port: (server.address() as AddressInfo).port }
}

const openPeer = async (port: number) => {
  const peer = new WebSocket(`ws://127.0.0.1:${port}/`)
  await once(peer, 'open')
  return peer
}

/** A peer that completes the handshake and then sends nothing, not even a pong. */
async function openSilentPeer(port: number) {
  const stream = connect(port, '127.0.0.1')
  const key = Buffer.alloc(16).toString('base64')
  stream.write(
    `GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}\r\n\r\n`,
  )
  await once(stream, 'data')
  return stream
}

const event = (length: number): ServerEvent => ({
  event: 'queue_cleared',
  data: { timestamp: 1, queue_id: 'x'.repeat(length), user_id: null },
})

test('drops a peer that does not answer pings and keeps others', async () => {
  const { sockets, port } = await open({ heartbeatMs: 50 })
  const alive = await openPeer(port)
  const silent = await openSilentPeer(port)
  const pinged = once(alive, 'ping')

  await once(silent, 'close')
  await pinged

  expect(alive.readyState).toBe(alive.OPEN)
  const heard = once(alive, 'message')
  sockets.send(event(1))
  await heard
})

test('closes a slow reader with little unsent data', async () => {
  const { sockets, port } = await open({ maxWaitingBytes: 100_000 })
  const slow = await openPeer(port)
  let received = 0
  slow.on('message', () => {
    received += 1
  })
  const closed = once(slow, 'close')
  slow.pause()

  for (let sent = 0; sent < 1_000; sent += 1) sockets.send(event(50_000))
  slow.resume()

  const [code] = await closed
  expect(code).toBe(TOO_SLOW_CLOSE_CODE)
  expect(received).toBeLessThan(500) // the buffers of the kernel
})

test('sends everything to a reader that keeps up', async () => {
  const { sockets, port } = await open({ maxWaitingBytes: 100_000 })
  const peer = await openPeer(port)

  for (let sent = 0; sent < 100; sent += 1) {
    const heard = once(peer, 'message')
    sockets.send(event(50_000))
    await heard
  }

  expect(peer.readyState).toBe(peer.OPEN)
})

test('terminates a silent peer when the server stops', async () => {
  const { sockets, port } = await open({})
  const silent = await openSilentPeer(port)
  const cut = once(silent, 'close')

  await sockets.close()

  await cut
})
