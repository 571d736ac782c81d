import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { connect, type EventStream, type EventStreamState, GalleryError } from '#client/index.ts'
import { collect } from '#testing/collect.ts'
import { graphOf } from '#testing/graph-of.ts'
import { drawFile } from '#testing/library/draw-file.ts'
import { type RunningServer, startServer } from '#testing/server/start-server.ts'

let server: RunningServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const phaseOf = (stream: EventStream, phase: EventStreamState['phase']) =>
  new Promise<EventStreamState>((resolve) => {
    const look = () => stream.getState().phase === phase && resolve(stream.getState())
    stream.onState(look)
    look()
  })

describe('with a server that never answers', () => {
  const hanging = createServer(() => {})
  let baseUrl = ''
  beforeAll(async () => {
    await new Promise<void>((resolve) => hanging.listen(0, '127.0.0.1', resolve))
    baseUrl = `http://127.0.0.1:${(hanging.address() as AddressInfo).port}`
  })
  afterAll(() => {
    hanging.closeAllConnections()
    hanging.close()
  })

  test('ends the calls of repository and handle after the time limit', async () => {
    const { boards } = connect({ baseUrl, timeoutMs: 50 })
    const handle = boards.getUncategorizedHandle()

    await expect(boards.listBoards()).rejects.toMatchObject({ name: 'ConnectionError' })
    await expect(handle.deleteImage('cat.png')).rejects.toMatchObject({ name: 'ConnectionError' })
  })

  test('ends the calls of repository and handle when their signal aborts', async () => {
    const { boards } = connect({ baseUrl })
    const handle = boards.getUncategorizedHandle()
    const signal = AbortSignal.timeout(50)

    const calls = [
      boards.listBoards({ signal }),
      boards.createBoard('Portraits', { signal }),
      handle.starImage('cat.png', { signal }),
      handle.getImageCount({ signal }),
    ]

    const results = await Promise.allSettled(calls)
    expect(results.map((result) => result.status === 'rejected' && result.reason)).toEqual(
      calls.map(() => signal.reason),
    )
  })
})

test('names the reason while the event stream cannot connect', async () => {
  const closed = await startServer()
  await closed.close()
  const { events } = connect({ baseUrl: closed.url })
  using _ = events.listen(() => {})

  const state = await phaseOf(events, 'lost')

  expect(state).toMatchObject({ cause: { name: 'ConnectionError' } })
})

test('lets two clients without a name listen at the same time', async () => {
  const streams = [connect({ baseUrl: server.url }).events, connect({ baseUrl: server.url }).events]
  for (const stream of streams) {
    onTestFinished(stream.listen(() => {}))
    await phaseOf(stream, 'open')
  }

  expect(streams.map((stream) => stream.getState().phase)).toEqual(['open', 'open'])
})

test('closes a client at the end of its block', async () => {
  let events: EventStream
  let late: Promise<unknown>
  {
    await using client = connect({ baseUrl: server.url })
    events = client.events
    events.listen(() => {})
    await phaseOf(events, 'open')
    late = client.boards.listBoards()
  }

  expect(events.getState().phase).toBe('closed')
  await expect(late).rejects.toBeInstanceOf(GalleryError)
})

test('yields all images of a view, even if the loop deletes them', async () => {
  const { boards, images } = server.client
  const board = await boards.createBoard('Many')
  for (let number = 1; number <= 5; number++) {
    const file = await drawFile(`${number}.png`)
    server.clock.advance(1000)
    await board.uploadImageData(file, { filename: `${number}.png` })
  }

  const deleted: (string | null)[] = []
  for await (const image of images.all({ boardId: board.boardId }, { pageSize: 2 })) {
    deleted.push(image.file_name)
    await images.delete([image.image_name])
  }

  expect(deleted).toEqual(['5.png', '4.png', '3.png', '2.png', '1.png'])
})

test('streams an image', async () => {
  const { uploads, images } = server.client
  const file = await drawFile('cat.png')
  const { image_name } = await uploads.upload({ bytes: file })

  const chunks = await collect(await images.stream(image_name))

  expect(Buffer.concat(chunks)).toEqual(Buffer.from(await file.arrayBuffer()))
  await expect(images.stream('unknown.png')).rejects.toMatchObject({ code: 'image_not_found' })
})

describe('jobs', () => {
  const color = { r: 255, g: 0, b: 0, a: 255 }
  const blank = { type: 'blank_image', width: 8, height: 4, mode: 'RGB', color }
  const graph = graphOf({ blank, save: { type: 'save_image', use_cache: false } }, [
    'blank.image -> save.image',
  ])

  test('wait for the end of an item', async () => {
    const { queue } = server.client
    const job = queue.job(await queue.enqueueOne({ graph }))

    const item = await job.wait({ pollMs: 20, timeoutMs: 60_000 })

    expect(item).toMatchObject({ item_id: job.itemId, status: 'completed' })
    await expect(queue.job(999_999).wait()).rejects.toThrow('The queue has no item 999999')
  })

  test('give up after the time limit and when the signal aborts', async () => {
    const { queue } = server.client
    await queue.pause()
    const job = queue.job(await queue.enqueueOne({ graph }))

    await expect(job.wait({ timeoutMs: 20 })).rejects.toMatchObject({ name: 'TimeoutError' })
    await expect(job.wait({ signal: AbortSignal.abort('enough') })).rejects.toBe('enough')
    await expect(queue.waitUntilIdle({ timeoutMs: 20 })).rejects.toMatchObject({
      name: 'TimeoutError',
    })
    expect(await job.cancel()).toMatchObject({ status: 'canceled' })
    await queue.resume()
    await queue.waitUntilIdle({ pollMs: 20 })
  })
})
