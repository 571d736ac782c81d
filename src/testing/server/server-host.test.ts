import { afterEach, beforeEach, expect, test } from 'vitest'
import { connect } from '#client/index.ts'
import { graphOf } from '#testing/graph-of.ts'
import { LibraryMaker } from '#testing/library/library-maker.ts'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'
import { ServerHost } from './server-host.ts'

/** Fails when it runs, because it has no image. */
const failing = graphOf({ save: { type: 'save_image' } })

/** Runs until it is canceled: a regular expression whose backtracking takes longer than any test. */
const endless = graphOf({
  hang: {
    type: 'string_replace',
    string: `${'a'.repeat(60)}!`,
    search_string: '^(a+)+$',
    use_regex: true,
  },
})

let host: ServerHost
let folder: string

beforeEach(async () => {
  host = new ServerHost()
  folder = await createTemporaryFolder()
})

afterEach(async () => {
  await host.close()
  await removeFolder(folder)
})

test('runs one server after another with different flags and keeps their addresses over a restart @long', async () => {
  const first = await host.open(folder, ['--token', 'secret'])
  await first.restart()
  const guarded = await fetch(`${first.url}/api/v1/boards/?all=true`)
  await first.close()
  const second = await host.open(folder, [])
  const open = await fetch(`${second.url}/api/v1/boards/?all=true`)

  expect([guarded.status, open.status]).toEqual([401, 200])
})

test('reports why a server cannot start and starts the next one @long', async () => {
  await expect(host.open(folder, ['--port', '99999'])).rejects.toThrow('port')

  const { url } = await host.open(folder, [])

  expect((await fetch(`${url}/api/v1/boards/?all=true`)).status).toBe(200)
})

test('empties a returned server for its next user', async () => {
  const { url } = await host.openEmpty()
  const library = new LibraryMaker(connect({ baseUrl: url }))
  const { boardId } = await library.createBoard('Portraits')
  await library.uploadImages(['a.png', 'b.png'], { board: 'Portraits' })
  const images = await library.imagesOn('Portraits')
  await library.client.trash.trashImages(images.slice(1).map(({ image_name }) => image_name))
  await library.uploadImage('c.png')
  await library.createBoard('Castles')
  await library.client.trash.trashBoard(boardId, { includeImages: true })
  await host.reclaim()

  const next = await host.openEmpty()

  expect(next.url).toBe(url)
  expect(await library.client.boards.listBoards()).toEqual([])
  expect(await library.client.images.count({})).toBe(0)
  expect(await library.client.trash.list({ offset: 0, limit: 10 })).toMatchObject({
    items: [],
    boards: [],
  })
})

test("empties a queue that is returned while an item runs, and runs the next user's items @long", async () => {
  const { url } = await host.openEmpty()
  const { queue } = connect({ baseUrl: url })
  await queue.enqueue({ graph: endless })
  await expect.poll(async () => (await queue.status()).queue.in_progress).toBe(1)
  await queue.enqueue({ graph: failing, runs: 3 })
  await queue.pause()
  await host.reclaim()

  const next = await host.openEmpty()

  expect(next.url).toBe(url)
  expect((await queue.status()).queue.total).toBe(0)
  await queue.enqueue({ graph: failing })
  await expect.poll(async () => (await queue.status()).queue.failed).toBe(1)
})

test('replaces a returned server that has run an import @long', async () => {
  const { imports } = connect({ baseUrl: (await host.openEmpty()).url })
  await imports.start({ folder })
  await host.reclaim()

  const next = connect({ baseUrl: (await host.openEmpty()).url })

  expect(await next.imports.list()).toEqual([])
})

test('replaces a server that its user closed @long', async () => {
  const first = await host.openEmpty()
  await first.close()
  await host.reclaim()

  const { url } = await host.openEmpty()

  expect((await fetch(`${url}/api/v1/boards/?all=true`)).status).toBe(200)
})
