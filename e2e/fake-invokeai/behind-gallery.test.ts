import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { drawFile } from '#testing/draw-file.ts'
import { type RunningUpstreamServer, startUpstreamServer } from '#testing/start-upstream-server.ts'
import { type FakeInvokeAi, startFakeInvokeAi } from './fake-invokeai.ts'

/** However busy the machine is. */
const soon = { timeout: 20_000 }

let fake: FakeInvokeAi
let gallery: RunningUpstreamServer

beforeEach(async () => {
  fake = await startFakeInvokeAi()
  gallery = await startUpstreamServer(fake.url)
})

afterEach(async () => {
  await gallery.close()
  await fake.close()
})

describe('a gallery in front of an InvokeAI', () => {
  it('says which server it stands in front of', async () => {
    expect(await gallery.client.server.capabilities()).toMatchObject({
      server: 'invokeai',
      version: '6.14.0-alpha',
      extensions: [],
      limits: { requests_per_minute: null, max_files_per_batch: 1 },
      front: { server: 'tessera', upstream: fake.url },
    })
  })

  it('passes boards and images on, and what it answers back', async () => {
    const { boards } = gallery.client
    const board = await boards.createBoard('Portraits')
    const file = await drawFile('cat.png')
    const { image_name } = await board.uploadImageData(file)

    expect(await board.listImages()).toEqual([image_name])
    expect(await boards.listBoards()).toMatchObject([{ board_name: 'Portraits', image_count: 1 }])
    const bytes = await board.downloadImage(image_name)
    const direct = await fetch(`${fake.url}/api/v1/images/i/${image_name}/full`)
    expect(bytes).toEqual(new Uint8Array(await direct.arrayBuffer()))
    expect(await board.deleteImage(image_name)).toBe(true)
    expect(await boards.deleteBoard(board.boardId)).toBe(true)
  })

  it('knows no path that the InvokeAI answers with its page', async () => {
    const answer = await fetch(`${gallery.url}/api/v1/nothing/of/that/kind`)

    expect(answer.status).toBe(404)
    expect(await answer.json()).toEqual({ detail: 'Not Found' })
    expect(await gallery.client.server.health()).toMatchObject({ version: '6.14.0-alpha' })
  })

  it('finds the InvokeAI again when that was restarted', async () => {
    expect(await gallery.client.server.upstream()).toMatchObject({ state: 'up' })
    await fake.restart()

    await expect.poll(() => gallery.client.boards.listBoards().catch(() => null), soon).toEqual([])
  })
})
