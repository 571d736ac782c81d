import { Cluster } from '#testing/cluster/cluster.ts'
import { LibraryMaker } from '#testing/library/library-maker.ts'
import { test as base } from './fixtures.ts'

interface ClusterWorkerFixtures {
  /** Further flags of each process. Rate limits are off by default. */
  clusterFlags: readonly string[]
  /** Shared by all tests of a file. */
  cluster: Cluster
}

/** The page of three processes behind a proxy. Library and queue are not emptied between the tests of a file. */
export const test = base.extend<object, ClusterWorkerFixtures>({
  clusterFlags: [[], { option: true, scope: 'worker' }],
  cluster: [
    async ({ clusterFlags }, use) => {
      const cluster = await Cluster.start({ flags: clusterFlags })
      await use(cluster)
      await cluster.stop()
    },
    { scope: 'worker' },
  ],
  server: async ({ cluster }, use) =>
    use({
      url: cluster.url,
      restart: () => cluster.restartOneByOne(),
      close: () => cluster.stop(),
    }),
  api: async ({ cluster }, use) => use(new LibraryMaker(cluster.connect())),
})
