import { pageFolder } from '#build/build-page.ts'
import { connect } from '#client/index.ts'
import { LibraryMaker } from '#testing/library/library-maker.ts'
import { type Relay, startRelay } from '#testing/server/relay.ts'
import { startUpstreamServer } from '#testing/server/start-upstream-server.ts'
import type { FakeInvokeAi, FakeOptions } from './fake-invokeai/fake-invokeai.ts'
import { test as base } from './fixtures.ts'
import { openFakeInvokeAi } from './open-fake-invokeai.ts'

/**
 * How long the page delays a deletion for Undo in ms, because InvokeAI has no trash. A test that has called
 * `page.clock.install()` ends the delay with `page.clock.fastForward(UNDO_MS)`.
 */
export const UNDO_MS = 10_000

type ServerOptions = NonNullable<Parameters<typeof startUpstreamServer>[1]>

interface UpstreamFixtures {
  /** Options of the fake InvokeAI. */
  invokeAiOptions: FakeOptions
  /** The upstream of the page's server. */
  invokeAi: FakeInvokeAi
  /** True to connect the two through a relay. */
  hasRelay: boolean
  /** That relay, or null without one. */
  relay: Relay | null
  /** Probe times of the page's server. null: the usual times. */
  watch: ServerOptions['watch'] | null
  /** The token of another client, if there are accounts. */
  apiToken: string | undefined
}

/** The page of a `--upstream` server. `api` sends requests to InvokeAI directly, like InvokeAI's own page. */
export const test = base.extend<UpstreamFixtures>({
  invokeAiOptions: [{}, { option: true }],
  invokeAi: async ({ invokeAiOptions }, use) => {
    const fake = await openFakeInvokeAi(invokeAiOptions)
    await use(fake)
    await fake.close()
  },
  hasRelay: [false, { option: true }],
  relay: async ({ hasRelay, invokeAi }, use) => {
    const relay = hasRelay ? await startRelay(invokeAi.url) : null
    await use(relay)
    await relay?.close()
  },
  watch: [null, { option: true }],
  server: async ({ invokeAi, relay, watch, serverFlags, serverHost }, use) => {
    const address = relay?.url ?? invokeAi.url
    if (watch) {
      const server = await startUpstreamServer(address, { watch, pageFolder })
      await use({ ...server, restart: () => Promise.reject(new Error('It has no fixed port.')) })
      return server.close()
    }
    const server = await serverHost.open(null, ['--upstream', address, ...serverFlags])
    await use(server)
    await server.close()
  },
  apiToken: async ({ invokeAi, invokeAiOptions }, use) => {
    const [account] = invokeAiOptions.accounts ?? []
    await use(account && invokeAi.accounts.login(account.email, account.password, true)?.token)
  },
  api: async ({ invokeAi, apiToken: token }, use) => {
    await use(new LibraryMaker(connect({ baseUrl: invokeAi.url, token })))
  },
})
