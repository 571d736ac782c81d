import { connect } from '#client/index.ts'
import { LibraryMaker } from '#testing/library-maker.ts'
import { ServerProcess } from '#testing/server-process.ts'
import {
  type FakeInvokeAi,
  type FakeOptions,
  startFakeInvokeAi,
} from './fake-invokeai/fake-invokeai.ts'
import { test as base } from './fixtures.ts'

interface UpstreamFixtures {
  /** What kind of InvokeAI it is. */
  invokeAiOptions: FakeOptions
  /** The InvokeAI that the page's server stands in front of. */
  invokeAi: FakeInvokeAi
  /** The token of another client, where there are accounts. */
  apiToken: string | undefined
}

/** The page of a `--upstream` server; `api` asks the InvokeAI itself, as InvokeAI's own page does. */
export const test = base.extend<UpstreamFixtures>({
  invokeAiOptions: [{}, { option: true }],
  invokeAi: async ({ invokeAiOptions }, use) => {
    const fake = await startFakeInvokeAi(invokeAiOptions)
    await use(fake)
    await fake.close()
  },
  server: async ({ invokeAi, serverFlags }, use) => {
    const server = await ServerProcess.start({
      flags: ['--upstream', invokeAi.url, ...serverFlags],
    })
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
