import { afterEach, beforeEach, expect, test } from 'vitest'
import { connect } from '#client/index.ts'
import { graphOf } from '#testing/graph-of.ts'
import { LibraryMaker } from '#testing/library/library-maker.ts'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'
import { ServerHost } from './server-host.ts'

/** Fails when it runs: it has no image. */
const failing = graphOf({ save: { type: 'save_image' } })

/** Runs until it is canceled: an expression that backtracks for longer than anybody waits. */
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

test('one server after another runs in it, each with its flags, and keeps its address', async () => {
  const first = await host.open(folder, ['--token', 'secret'])
  await first.restart()
  const guarded = await fetch(`${first.url}/api/v1/boards/?all=true`)
  await first.close()
  const second = await host.open(folder, [])
  const open = await fetch(`${second.url}/api/v1/boards/?all=true`)

  expect([guarded.status, open.status]).toEqual([401, 200])
})

test('what a server cannot start with is said, and the next one starts', async () => {
  await expect(host.open(folder, ['--port', '99999'])).rejects.toThrow('port')

  const { url } = await host.open(folder, [])

  expect((await fetch(`${url}/api/v1/boards/?all=true`)).status).toBe(200)
})

test('a server that is taken back is empty for its next user, with nothing of the one before', async () => {
  const { url } = await host.openEmpty()
  const library = new LibraryMaker(connect({ baseUrl: url }))
  const { boardId } = await library.createBoard('Portraits')
  await library.uploadImages(['a.png', 'b.png'], { board: 'Portraits' })
  const images = await library.imagesOn('Portraits')
  await library.client.trash.trashImages(images.slice(1).map(({ image_name }) => image_name))
  await library.uploadImage('c.png')
  await library.createBoard('Castles')
  await library.client.trash.trashBoard(boardId, { includeImages: true })
  await host.takeBack()

  const next = await host.openEmpty()

  expect(next.url).toBe(url)
  expect(await library.client.boards.listBoards()).toEqual([])
  expect(await library.client.images.count({})).toBe(0)
  expect(await library.client.trash.list({ offset: 0, limit: 10 })).toMatchObject({
    items: [],
    boards: [],
  })
})

test('a queue that is taken back while something runs is empty, and runs what its next user adds', async () => {
  const { url } = await host.openEmpty()
  const { queue } = connect({ baseUrl: url })
  await queue.enqueue({ graph: endless })
  await expect.poll(async () => (await queue.status()).queue.in_progress).toBe(1)
  await queue.enqueue({ graph: failing, runs: 3 })
  await queue.pause()
  await host.takeBack()

  const next = await host.openEmpty()

  expect(next.url).toBe(url)
  expect((await queue.status()).queue.total).toBe(0)
  await queue.enqueue({ graph: failing })
  await expect.poll(async () => (await queue.status()).queue.failed).toBe(1)
})

test('a server that has imported is replaced when it is taken back', async () => {
  const { imports } = connect({ baseUrl: (await host.openEmpty()).url })
  await imports.start({ folder })
  await host.takeBack()

  const next = connect({ baseUrl: (await host.openEmpty()).url })

  expect(await next.imports.list()).toEqual([])
})

test('a server that its user closed is replaced', async () => {
  const first = await host.openEmpty()
  await first.close()
  await host.takeBack()

  const { url } = await host.openEmpty()

  expect((await fetch(`${url}/api/v1/boards/?all=true`)).status).toBe(200)
})
