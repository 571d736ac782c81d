import { connect } from '#client/index.ts'
import { LibraryMaker } from '#testing/library-maker.ts'
import { ServerProcess } from '#testing/server-process.ts'
import { openSilentLine, type SilentLine } from '#testing/silent-line.ts'
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
  /** Whether a line is between the two that can fall silent. */
  hasLine: boolean
  /** That line; null without. */
  line: SilentLine | null
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
  hasLine: [false, { option: true }],
  line: async ({ hasLine, invokeAi }, use) => {
    const line = hasLine ? await openSilentLine(invokeAi.url) : null
    await use(line)
    await line?.close()
  },
  server: async ({ invokeAi, line, serverFlags }, use) => {
    const server = await ServerProcess.start({
      flags: ['--upstream', line?.url ?? invokeAi.url, ...serverFlags],
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
