import type { Locator, Page } from '@playwright/test'
import { fillLibrary } from '#testing/library/fill-library.ts'
import type { LibraryMaker } from '#testing/library/library-maker.ts'
import { type FaultyLine, startFaultyLine } from '#testing/server/faulty-line.ts'
import { type Relay, startRelay } from '#testing/server/relay.ts'
import { ServerHost } from '#testing/server/server-host.ts'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'
import type { GalleryPage } from './fixtures/gallery-page.ts'
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

/** The board to which tests move images. */
export const TARGET = 'Board 0'

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

/** Opens the board of 50,000 images and scrolls to a fraction of its height. */
export async function openBigBoard(gallery: GalleryPage, share: number): Promise<void> {
  await gallery.open({ board: BIG_BOARD.name })
  await expect(gallery.tiles.first()).toBeVisible()
  await gallery.scrollTo(share)
}

/** Moves the selected images with the board palette. */
export async function moveSelected({ page }: GalleryPage, board: string): Promise<void> {
  await page.keyboard.press('m')
  await page.getByRole('dialog').getByRole('combobox').fill(board)
  await page.keyboard.press('Enter')
}

export const filterBoards = (page: Page, text: string): Promise<void> =>
  page.getByRole('searchbox', { name: 'Filter boards' }).fill(text)

export const groupRow = (gallery: GalleryPage, path: string): Locator =>
  gallery.sidebar.locator(`[data-group="${path}"]`)

export const formatted = (count: number): string => count.toLocaleString('en')

/** Returns what Undo must restore: each board's number of images, the stars, and the size of the trash. */
export async function stateOf({ client }: LibraryMaker) {
  const [boards, assets, starred, trash] = await Promise.all([
    client.boards.listBoards(),
    client.images.count({ boardId: 'none' }),
    client.images.count({ isStarred: true }),
    client.trash.list({ offset: 0, limit: 1 }),
  ])
  const counts = boards.map(({ board_name, image_count }) => [board_name, image_count])
  return {
    boards: { ...Object.fromEntries(counts), Assets: assets } as Record<string, number>,
    starred,
    trashed: trash.total,
  }
}

/** Returns the number of images on a board, or 0 if there is no such board. */
export const countOn = async ({ client }: LibraryMaker, name: string): Promise<number> =>
  (await client.boards.listBoards()).find(({ board_name }) => board_name === name)?.image_count ?? 0
