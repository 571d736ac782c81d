import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect, type EventStreamState } from '#client/index.ts'
import { documentedUpgrades, startNginx } from '#testing/engines/nginx-server.ts'
import { type RunningServer, startServer } from '#testing/server/start-server.ts'

let server: RunningServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

/** Watches through a proxy until a board is created, and returns the phase of the events then. */
const hearOfBoard = async (url: string, wanted: EventStreamState['phase']) => {
  await using client = connect({ baseUrl: url, events: { changes: true } })
  const { new_state: since } = await client.changes.list()
  const watched = client.changes.watch({ since, pollMs: 200 }).next()
  await expect.poll(() => client.events.getState().phase, { timeout: 5_000 }).toBe(wanted)

  const { boardId } = await server.client.boards.createBoard('Seen')

  const { value } = await watched
  expect(value?.boards.created).toEqual([boardId])
  return client.events.getState()
}

test('a client behind nginx without upgrades still hears of changes, by asking @long', async () => {
  const nginx = await startNginx(server.url)
  try {
    const { phase } = await hearOfBoard(nginx.url, 'lost')

    expect(phase).not.toBe('open')
  } finally {
    await nginx.stop()
  }
})

test('nginx passes on events with the documented lines @long', async () => {
  const nginx = await startNginx(server.url, await documentedUpgrades())
  try {
    expect(await hearOfBoard(nginx.url, 'open')).toEqual({ phase: 'open' })
  } finally {
    await nginx.stop()
  }
})
