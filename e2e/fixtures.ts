import { join } from 'node:path'
import { test as base, expect } from '@playwright/test'
import { pageFolder } from '#build/build-page.ts'
import { connect } from '#client/index.ts'
import { TestEngines } from '#testing/engines/test-engines.ts'
import { type LibrarySize, PreparedLibraries } from '#testing/library/fill-library.ts'
import { LibraryMaker } from '#testing/library/library-maker.ts'
import { ServerHost } from '#testing/server/server-host.ts'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'
import { GalleryPage } from './fixtures/gallery-page.ts'
import { watchPage } from './fixtures/watch-page.ts'
import { openFakeInvokeAi } from './open-fake-invokeai.ts'

/** Number and size of the images in prepared libraries. */
const DRAWN = { pictureCount: 8, longestPx: 240 }

/** The page's server: Tessera's own, or a fake InvokeAI. */
export interface ServerUnderTest {
  /** Without a trailing slash. */
  readonly url: string
  /** Restarts the server with its data. */
  restart(): Promise<void>
  close(): Promise<void>
}

export interface Fixtures {
  /** The kind of server. The default is `tessera`. */
  serverKind: 'tessera' | 'invokeai'
  /** Place of records and images: the data folder (the default), or PostgreSQL and S3. */
  storage: 'folder' | 'engines'
  /** Flags of the server. Rate limits are off by default. */
  serverFlags: readonly string[]
  /** Number of initial images, all in Assets: rows and hard links to a few drawn files. */
  libraryOf: number
  /**
   * Number of years, up to December 2025, over whose months the dates taken of these images are spread. 0: no
   * dates.
   */
  takenYears: number
  /** Boards of these images, and the number of different pictures. By default, all images are in Assets. */
  librarySize: Pick<Partial<LibrarySize>, 'boards' | 'pictureCount'>
  /** The server of this test alone. Its library is empty unless `libraryOf` is set. */
  server: ServerUnderTest
  /** Creates the library content of a test. */
  api: LibraryMaker
  gallery: GalleryPage
  /** Page errors that no user may ever encounter. A test fails if there are any. */
  pageFaults: string[]
}

export interface WorkerFixtures {
  /** Runs the servers of all tests of a worker, one after another. */
  serverHost: ServerHost
  /** The prepared libraries for `libraryOf`. */
  libraries: PreparedLibraries
  /** PostgreSQL and S3 for `storage: 'engines'`. */
  engines: TestEngines
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  serverHost: [
    async ({ browserName: _ }, use) => {
      const host = new ServerHost()
      await use(host)
      await host.close()
    },
    { scope: 'worker' },
  ],
  libraries: [
    async ({ browserName: _ }, use) => {
      const libraries = new PreparedLibraries(DRAWN)
      await use(libraries)
      await libraries.remove()
    },
    { scope: 'worker' },
  ],
  engines: [
    async ({ browserName: _ }, use) => {
      const engines = new TestEngines()
      await use(engines)
      await engines.stop()
    },
    { scope: 'worker' },
  ],
  storage: ['folder', { option: true }],
  serverFlags: [[], { option: true }],
  libraryOf: [0, { option: true }],
  takenYears: [0, { option: true }],
  librarySize: [{}, { option: true }],
  serverKind: ['tessera', { option: true }],
  server: async (
    {
      serverKind,
      storage,
      serverFlags,
      libraryOf,
      takenYears,
      librarySize,
      libraries,
      engines,
      serverHost,
    },
    use,
  ) => {
    if (serverKind === 'invokeai') {
      const fake = await openFakeInvokeAi({ pageFolder })
      await use(fake)
      return fake.close()
    }
    if (storage === 'folder' && libraryOf === 0 && serverFlags.length === 0) {
      await use(await serverHost.openEmpty())
      return serverHost.reclaim()
    }
    const dataFolder = await createTemporaryFolder()
    const size = { imageCount: libraryOf, ...(takenYears > 0 && { takenYears }), ...librarySize }
    if (libraryOf > 0) await libraries.copyInto(dataFolder, size)
    const engineFlags = storage === 'engines' ? await engines.flags() : []
    const server = await serverHost.open(dataFolder, [...engineFlags, ...serverFlags])
    await use(server)
    await server.close()
    await removeFolder(dataFolder)
  },
  baseURL: async ({ server }, use) => use(server.url),
  api: async ({ server }, use) => use(new LibraryMaker(connect({ baseUrl: server.url }))),
  gallery: async ({ page, api }, use, testInfo) => {
    await use(new GalleryPage(page, api, join(testInfo.outputDir, 'disk')))
  },
  pageFaults: [
    async ({ page }, use) => {
      const faults = watchPage(page)
      await use(faults)
      expect(faults, 'faults that no user may encounter').toEqual([])
    },
    { auto: true },
  ],
})

export { expect }
