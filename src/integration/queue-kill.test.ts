import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ConnectionError, connect, type ImageRecord, type TesseraClient } from '#client/index.ts'
import { isFinal, type QueueItem } from '#contract/queue/queue.ts'
import { seededRandom } from '#demo/seeded-random.ts'
import { graphOf } from '#testing/graph-of.ts'
import { drawFile } from '#testing/library/draw-file.ts'
import { killSeed, roundsOf } from '#testing/rounds.ts'
import { ServerProcess } from '#testing/server/server-process.ts'
import { expectConsistentLibrary, hashOfImage } from './library-consistency.ts'
import { failing } from './queue-server.ts'

const ROUNDS = roundsOf({ usual: 1, all: 4 })
const LONGEST_ROUND_MS = 1500
const COPIES_A_ROUND = 8

let server: ServerProcess
let client: TesseraClient

beforeAll(async () => {
  server = await ServerProcess.start()
  client = connect({ baseUrl: server.url })
})

afterAll(() => server.close())

test(`loses no item and saves no image twice after kills (rounds: ${ROUNDS}, seed: ${killSeed})`, async () => {
  const random = seededRandom(killSeed)
  const file = await drawFile('cat.png', { widthPx: 160, heightPx: 120 })
  const source = await client.uploads.upload({ bytes: file })
  const board = await client.boards.createBoard('Copies')
  const copy = graphOf({
    save: { type: 'save_image', image: source, board: { board_id: board.boardId } },
  })
  const acknowledged = new Set<number>()
  let known: QueueItem[] = []

  for (let round = 1; round <= ROUNDS; round++) {
    const work = untilGone(async () => {
      const { item_ids } = await client.queue.enqueue({ graph: copy, runs: COPIES_A_ROUND })
      for (const id of item_ids) acknowledged.add(id)
      acknowledged.add(await client.queue.enqueueOne({ graph: failing }, { prepend: true }))
      for (;;) known = await client.queue.list()
    })
    await sleep(random.integer(5, LONGEST_ROUND_MS))
    await server.kill()
    await work
    await server.startAgain()

    const items = await client.queue.list()
    expect(faultsOf(items, known, acknowledged)).toEqual([])
    known = items
  }

  await expect
    .poll(() => client.queue.status(), { timeout: 120_000 })
    .toMatchObject({ queue: { pending: 0, in_progress: 0 } })
  await expectConsistentLibrary(client, server.dataFolder)
  const { items: images } = await client.images.page({}, { offset: 0, limit: -1 })
  const items = await client.queue.list()
  expect(items.filter(({ status }) => status === 'canceled').length).toBeLessThanOrEqual(ROUNDS)
  expect(faultsOfResults(items, images)).toEqual([])
  for (const { image_name, content_hash } of images) {
    expect([image_name, await hashOfImage(server.url, image_name)]).toEqual([
      image_name,
      content_hash,
    ])
  }
}, 300_000)

/** Works until the server is gone. */
async function untilGone(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof ConnectionError)) throw error
  }
}

/** Compares the items after a restart with those before it and returns the faults. */
function faultsOf(items: QueueItem[], before: QueueItem[], acknowledged: Set<number>): string[] {
  const there = new Map(items.map((item) => [item.item_id, item]))
  const lost = [...acknowledged].filter((id) => !there.has(id)).map((id) => `item ${id} is lost`)
  const changed = before.flatMap((old) => {
    const { status } = there.get(old.item_id) ?? {}
    if (isFinal(old.status) && status !== old.status) return [`${old.status} became ${status}`]
    const isRunAgain =
      old.status === 'in_progress' && (status === 'pending' || status === old.status)
    return isRunAgain ? [`item ${old.item_id} ran before the restart and is ${status}`] : []
  })
  const unclear = items.filter((item) => isFinal(item.status) !== (item.completed_at !== null))
  return [...lost, ...changed, ...unclear.map(({ item_id }) => `item ${item_id} is half ended`)]
}

/** Returns the faults in the images that the items saved: each item saves at most one. */
function faultsOfResults(items: QueueItem[], images: ImageRecord[]): string[] {
  return items.flatMap(({ item_id, status, session_id, session }) => {
    const saved = images.filter((image) => image.session_id === session_id)
    const named = Object.values(session.results).map(({ image }) => image)
    if (saved.length > 1) return [`item ${item_id} saved ${saved.length} images`]
    if (status === 'failed') return saved.length === 0 ? [] : [`item ${item_id} failed and saved`]
    if (status === 'canceled') return []
    const isNamed =
      JSON.stringify(named) === JSON.stringify(saved.map(({ image_name }) => ({ image_name })))
    return isNamed ? [] : [`item ${item_id} names ${JSON.stringify(named)}`]
  })
}
