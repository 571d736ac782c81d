import { fillLibrary } from '#testing/library/fill-library.ts'
import { type FaultyLine, startFaultyLine } from '#testing/server/faulty-line.ts'
import { type Relay, startRelay } from '#testing/server/relay.ts'
import { ServerHost } from '#testing/server/server-host.ts'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'
import { test as base, expect, type ServerUnderTest } from './fixtures.ts'

/** Number of images, of which one board has half and Assets a fifth. */
export const RIG_IMAGES = 100_000
export const BIG_BOARD = { name: 'Everything', imageCount: 50_000 }
export const IN_ASSETS = 20_000

const CLIENTS = 23
const SMALL_BOARDS = 299
const IN_SMALL_BOARDS = RIG_IMAGES - BIG_BOARD.imageCount - IN_ASSETS

/** The other boards. Two thirds are in groups: `Clients/Client 7/Shoot 30`. */
export const smallBoards = Array.from({ length: SMALL_BOARDS }, (_, at) => ({
  name: at % 3 === 0 ? `Board ${at}` : `Clients/Client ${at % CLIENTS}/Shoot ${at}`,
  imageCount:
    Math.floor(((at + 1) * IN_SMALL_BOARDS) / SMALL_BOARDS) -
    Math.floor((at * IN_SMALL_BOARDS) / SMALL_BOARDS),
}))

const LATENCY_MS = 40

/** Tests with a library of their own, the published limits, and a slow line whose connections and changes fail. */
export const test = base.extend<{ line: FaultyLine; relay: Relay }>({
  serverFlags: async ({ browserName: _ }, use) => use(['--rate-limit', '100,10']),
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

/**
 * Tests behind the same line that share a large library, because filling it takes 20 seconds. A test must compare its
 * end with its own start. Without limits, since each counts the requests of all tests.
 */
export const largeTest = test.extend<object, { largeServer: ServerUnderTest }>({
  largeServer: [
    async ({ browserName: _ }, use) => {
      const folder = await createTemporaryFolder()
      const boards = [BIG_BOARD, ...smallBoards]
      // A file can have 65,000 hard links.
      const pictures = { pictureCount: 60, longestPx: 240 }
      await fillLibrary(folder, { imageCount: RIG_IMAGES, boards, ...pictures })
      const host = new ServerHost()
      await use(await host.open(folder, ['--rate-limit', 'off']))
      await host.close()
      await removeFolder(folder)
    },
    { scope: 'worker' },
  ],
  server: async ({ largeServer }, use) => use(largeServer),
})

export { expect }
