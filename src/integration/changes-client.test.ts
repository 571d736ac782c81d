import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { connect, type LibraryChanges, type TesseraClient } from '#client/index.ts'
import { drawFile } from '#testing/library/draw-file.ts'
import { type RunningServer, startServer } from '#testing/server/start-server.ts'

let server: RunningServer
beforeAll(async () => {
  server = await startServer()
})
afterEach(() => vi.unstubAllGlobals())
afterAll(() => server.close())

/** Watches the changes of the server. `until` waits for an entry. */
const watch = (client: TesseraClient, options: { since: string; exceptOrigin?: string }) => {
  const found: LibraryChanges[] = []
  const stop = new AbortController()
  const reading = (async () => {
    const all = client.changes.watch({ pollMs: 100, signal: stop.signal, ...options })
    for await (const changes of all) found.push(changes)
  })()
  return {
    found,
    created: () => found.flatMap(({ boards }) => boards.created),
    end: async () => {
      stop.abort(new Error('ended'))
      await expect(reading).rejects.toThrow('ended')
    },
  }
}

const stateOf = async ({ changes }: TesseraClient) => (await changes.list()).new_state

test('tells of changes by other clients, but not of those that are left out', async () => {
  const phone = connect({ baseUrl: server.url, origin: 'phone' })
  const wall = connect({ baseUrl: server.url, origin: 'wall', events: { changes: true } })
  const watched = watch(wall, { since: await stateOf(wall), exceptOrigin: 'wall' })
  await expect.poll(() => wall.events.getState().phase).toBe('open')

  const own = await wall.boards.createBoard('Own')
  const other = await phone.boards.createBoard('Other')

  await expect.poll(watched.created).toEqual([other.boardId])
  expect(own.boardId).not.toBe(other.boardId)
  await watched.end()
  expect(wall.events.getState().phase).toBe('closed')
})

test('lists the records of changed images, also those in the trash', async () => {
  const { client } = server
  const since = await stateOf(client)
  const uploads = await Promise.all(
    ['kept.png', 'trashed.png'].map(async (name) =>
      client.uploads.upload({ fileName: name, bytes: await drawFile(name) }),
    ),
  )
  const [kept = '', trashed = ''] = uploads.map(({ image_name }) => image_name)
  await client.images.star([kept])
  await client.trash.trashImages([trashed])

  const { records = [] } = await client.changes.list({ since, includeRecords: true })
  const found = new Map(records.map((record) => [record.image_name, record]))
  expect([...found.keys()].sort()).toEqual([kept, trashed].sort())
  expect(found.get(kept)).toMatchObject({ starred: true, deleted_at: null })
  expect(found.get(trashed)?.deleted_at).toEqual(expect.any(String))
  expect((await client.changes.list({ since })).records).toBeUndefined()
})

test('lists a board that was created and deleted since the state, because a client may have read it', async () => {
  const { client } = server
  const since = await stateOf(client)
  const { boardId } = await client.boards.createBoard('Short')
  await client.boardOperations.delete(boardId)

  const { boards } = await client.changes.list({ since })

  expect(boards).toMatchObject({ created: [], destroyed: [boardId] })
})

test('continues without a gap after a restart of the server', async () => {
  const client = connect({ baseUrl: server.url })
  const watched = watch(client, { since: await stateOf(client) })
  const before = await server.client.boards.createBoard('Before')
  await expect.poll(watched.created).toEqual([before.boardId])

  await server.restart()
  const after = await server.client.boards.createBoard('After')

  await expect.poll(watched.created).toEqual([before.boardId, after.boardId])
  await watched.end()
})

test('asks regularly where there is no WebSocket', async () => {
  const client = connect({ baseUrl: server.url })
  const since = await stateOf(client)
  vi.stubGlobal('WebSocket', undefined)
  Reflect.deleteProperty(globalThis, 'WebSocket')
  const watched = watch(client, { since })

  const board = await server.client.boards.createBoard('Polled')

  await expect.poll(watched.created).toEqual([board.boardId])
  await watched.end()
})

test('says that everything may have changed since a state that the server does not know', async () => {
  const { client } = server
  const current = await stateOf(client)
  const watched = watch(client, { since: 'of-another-library' })

  await expect.poll(() => watched.found).toHaveLength(1)

  expect(watched.found[0]).toMatchObject({ new_state: current, is_everything_unlisted: true })
  await watched.end()
})
