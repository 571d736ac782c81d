import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect, type TesseraClient } from '#client/index.ts'
import { seededRandom } from '#demo/seeded-random.ts'
import { drawClip } from '#testing/library/draw-clip.ts'
import { drawFile } from '#testing/library/draw-file.ts'
import { killSeed, roundsOf } from '#testing/rounds.ts'
import { ServerProcess } from '#testing/server/server-process.ts'
import { type FileOfWorkload, KillWorkload } from './kill-workload.ts'
import { expectConsistentLibrary, hashOfImage, sha256 } from './library-consistency.ts'

const ROUNDS = roundsOf({ usual: 1, all: 8 })
const WORKERS = 4
const LONGEST_ROUND_MS = 400

let server: ServerProcess
let client: TesseraClient

beforeAll(async () => {
  server = await ServerProcess.start()
  client = connect({ baseUrl: server.url })
})

afterAll(() => server.close())

// Limits are off: a hundred requests a minute would leave nothing to interrupt.
test(`keeps acknowledged changes after kills (rounds: ${ROUNDS}, seed: ${killSeed})`, async () => {
  const random = seededRandom(killSeed)
  const files = await drawFiles()
  const portraits = await client.boards.createBoard('Portraits')
  const castles = await client.boards.createBoard('Castles')
  const boardIds = [portraits.boardId, castles.boardId] as const
  const workloads = Array.from(
    { length: WORKERS },
    (_, index) => new KillWorkload(client, seededRandom(killSeed + index), files, boardIds),
  )

  for (const workload of workloads) await workload.begin()
  for (let round = 1; round <= ROUNDS; round++) {
    const work = Promise.all(workloads.map((workload) => workload.run()))
    await Promise.race([work, sleep(random.integer(5, LONGEST_ROUND_MS))])
    await server.kill()
    await work
    await server.startAgain()

    const places = await expectConsistentLibrary(client, server.dataFolder)
    expect(workloads.flatMap((workload) => workload.faultsAgainst(places))).toEqual([])
  }

  expect(await damagedOf(workloads)).toEqual([])
}, 300_000)

async function drawFiles(): Promise<[FileOfWorkload, ...FileOfWorkload[]]> {
  const draw = async (fileName: string) => {
    const file = await drawFile(fileName, { widthPx: 160, heightPx: 120 })
    return { file, hash: sha256(new Uint8Array(await file.arrayBuffer())) }
  }
  const names = ['dog.png', 'fox.jpg', 'owl.webp', 'eel.png', 'elk.gif']
  const clip = await drawClip()
  const video = { file: new File([clip], 'boat.mp4'), hash: sha256(clip) }
  return [await draw('cat.png'), ...(await Promise.all(names.map(draw))), video]
}

/**
 * Returns images whose bytes differ from the uploaded ones. The server does not serve trashed images, but
 * their files exist.
 */
async function damagedOf(workloads: readonly KillWorkload[]): Promise<string[]> {
  const damaged: string[] = []
  for (const [name, { hash, places }] of workloads.flatMap(({ images }) => [...images])) {
    if (places.has('the trash')) continue
    if ((await hashOfImage(server.url, name)) !== hash) damaged.push(name)
  }
  return damaged
}
