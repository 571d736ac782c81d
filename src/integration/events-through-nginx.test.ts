import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect } from '#client/index.ts'
import { documentedUpgrades, startNginx } from '#testing/engines/nginx-server.ts'
import { type RunningServer, startServer } from '#testing/server/start-server.ts'

let server: RunningServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

test('nginx passes on events with the documented lines @long', async () => {
  const nginx = await startNginx(server.url, await documentedUpgrades())
  try {
    await using client = connect({ baseUrl: nginx.url })
    const names: string[] = []
    client.events.listen(({ event }) => names.push(event))
    await expect.poll(() => client.events.getState().phase, { timeout: 5_000 }).toBe('open')

    server.events.emit('queue_cleared', { queue_id: 'default', user_id: null })

    await expect.poll(() => names).toEqual(['queue_cleared'])
  } finally {
    await nginx.stop()
  }
})

test('a client behind nginx without these lines gets answers, but no events @long', async () => {
  const nginx = await startNginx(server.url)
  try {
    await using client = connect({ baseUrl: nginx.url })
    client.events.listen(() => {})

    await expect.poll(() => client.events.getState().phase, { timeout: 5_000 }).toBe('lost')

    expect(await client.boards.listBoards()).toEqual([])
  } finally {
    await nginx.stop()
  }
})
