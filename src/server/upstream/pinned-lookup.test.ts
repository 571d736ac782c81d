import { once } from 'node:events'
import { connect, createServer, type Server } from 'node:net'
import { expect, test } from 'vitest'
import { pinnedLookup } from './pinned-lookup.ts'

const listening = async (host: string, port = 0): Promise<Server & { connections: number }> => {
  const server = Object.assign(createServer(), { connections: 0 })
  server.on('connection', (socket) => {
    server.connections++
    socket.destroy()
  })
  server.listen(port, host)
  await once(server, 'listening')
  return server
}

test('keeps its connections when the DNS record of the name changes', async () => {
  const own = await listening('127.0.0.1')
  const address = own.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const elsewhere = await listening('127.0.0.2', port)
  const answers = ['127.0.0.1', '127.0.0.2', '127.0.0.2']
  const lookup = pinnedLookup('rebound.test', async () => [
    { address: answers.shift() ?? '127.0.0.2', family: 4 },
  ])

  for (const autoSelectFamily of [true, false, true]) {
    const socket = connect({ host: 'rebound.test', port, lookup, autoSelectFamily })
    socket.resume()
    await once(socket, 'close')
  }

  expect([own.connections, elsewhere.connections, answers.length]).toEqual([3, 0, 2])
  own.close()
  elsewhere.close()
})

const find = (lookup: ReturnType<typeof pinnedLookup>, name: string) =>
  new Promise((resolve) =>
    lookup(name, { all: false }, (error, address) => resolve(error?.code ?? address)),
  )

test('repeats a failed lookup, and caches a successful one', async () => {
  const answers = [[], [{ address: 'no address', family: 4 }], [{ address: '::1', family: 6 }]]
  const lookup = pinnedLookup('invoke.lan', async () => answers.shift() ?? [])

  const found = []
  for (let asked = 0; asked < 5; asked++) found.push(await find(lookup, 'invoke.lan'))

  expect(found).toEqual(['ENOTFOUND', 'ENOTFOUND', '::1', '::1', '::1'])
})

test('knows no address of another name', async () => {
  const lookup = pinnedLookup('invoke.lan', async () => [{ address: '127.0.0.1', family: 4 }])

  expect(await find(lookup, 'evil.example')).toBe('ENOTFOUND')
})
