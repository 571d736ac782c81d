import { type FaultyLine, startFaultyLine } from '#testing/server/faulty-line.ts'
import { type Relay, startRelay } from '#testing/server/relay.ts'
import { test as base, expect } from './fixtures.ts'

/** Large libraries have this many images, one board with half of them, and a fifth of them in Assets. */
export const RIG_IMAGES = 100_000
export const BIG_BOARD = { name: 'Everything', imageCount: 50_000 }
export const IN_ASSETS = 20_000

const CLIENTS = 23
const SMALL_BOARDS = 299
const IN_SMALL_BOARDS = RIG_IMAGES - BIG_BOARD.imageCount - IN_ASSETS

/** The names of the other boards form groups: `Clients/Client 7/Shoot 30`. */
const smallBoards = Array.from({ length: SMALL_BOARDS }, (_, at) => ({
  name: at % 3 === 0 ? `Board ${at}` : `Clients/Client ${at % CLIENTS}/Shoot ${at}`,
  imageCount:
    Math.floor(((at + 1) * IN_SMALL_BOARDS) / SMALL_BOARDS) -
    Math.floor((at * IN_SMALL_BOARDS) / SMALL_BOARDS),
}))

const LATENCY_MS = 40

/** Tests with a large library, the published limits, and a slow line whose connections and changes fail. */
export const test = base.extend<{ line: FaultyLine; relay: Relay }>({
  libraryOf: RIG_IMAGES,
  serverFlags: async ({ browserName: _ }, use) => use(['--rate-limit', '100,10']),
  // A file can have 65,000 hard links, and each test has its own copy.
  librarySize: { boards: [BIG_BOARD, ...smallBoards], pictureCount: 60 },
  line: async ({ server }, use) => {
    const line = await startFaultyLine(server.url, { latencyMs: LATENCY_MS })
    await use(line)
    await line.close()
  },
  relay: async ({ line }, use) => {
    const relay = await startRelay(line.url)
    await use(relay)
    await relay.close()
  },
  baseURL: async ({ relay }, use) => use(relay.url),
})

export { expect }
