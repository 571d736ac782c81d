import { join } from 'node:path'
import { test as base, expect } from '@playwright/test'
import { pageFolder } from '#build/build-page.ts'
import { connect } from '#client/index.ts'
import { PreparedLibraries } from '#testing/library/fill-library.ts'
import { LibraryMaker } from '#testing/library/library-maker.ts'
import { ServerHost } from '#testing/server/server-host.ts'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'
import { startFakeInvokeAi } from './fake-invokeai/fake-invokeai.ts'
import { GalleryPage } from './fixtures/gallery-page.ts'
import { watchPage } from './fixtures/watch-page.ts'

/** The images of prepared libraries. */
const DRAWN = { pictureCount: 8, longestPx: 240 }

/** What the page talks to: our own server, or a fake of InvokeAI. */
export interface ServerUnderTest {
  /** Without a slash at the end. */
  readonly url: string
  /** Stops and starts again with what it had. */
  restart(): Promise<void>
  close(): Promise<void>
}

export interface Fixtures {
  /** Whose server it is. Ours unless said otherwise. */
  serverKind: 'tessera' | 'invokeai'
  /** The server's flags. Limits are off unless they are among them. */
  serverFlags: readonly string[]
  /** Images that are there from the start, in Assets: rows and hard links to a few drawn files. */
  libraryOf: number
  /** The years over whose months the dates taken of these images are spread, until December 2025. 0: they have none. */
  takenYears: number
  /** Nobody else uses it during the test. Its library is empty unless `libraryOf` says otherwise. */
  server: ServerUnderTest
  /** Makes the library that a test begins with. */
  api: LibraryMaker
  gallery: GalleryPage
  /** What the page did that no person may meet. Every test fails if there is any. */
  pageFaults: string[]
}

export interface WorkerFixtures {
  /** Runs the servers of all tests of a worker, one after another. */
  serverHost: ServerHost
  /** The libraries that `libraryOf` asks for. */
  libraries: PreparedLibraries
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
  serverFlags: [[], { option: true }],
  libraryOf: [0, { option: true }],
  takenYears: [0, { option: true }],
  serverKind: ['tessera', { option: true }],
  server: async (
    { serverKind, serverFlags, libraryOf, takenYears, libraries, serverHost },
    use,
  ) => {
    if (serverKind === 'invokeai') {
      const fake = await startFakeInvokeAi({ pageFolder })
      await use(fake)
      return fake.close()
    }
    if (libraryOf === 0 && serverFlags.length === 0) {
      await use(await serverHost.openEmpty())
      return serverHost.takeBack()
    }
    const dataFolder = await createTemporaryFolder()
    const size = { imageCount: libraryOf, ...(takenYears > 0 && { takenYears }) }
    if (libraryOf > 0) await libraries.copyInto(dataFolder, size)
    const server = await serverHost.open(dataFolder, serverFlags)
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
      expect(faults, 'what no person may meet').toEqual([])
    },
    { auto: true },
  ],
})

export { expect }
