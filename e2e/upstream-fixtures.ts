import { pageFolder } from '#build/build-page.ts'
import { connect } from '#client/index.ts'
import { LibraryMaker } from '#testing/library-maker.ts'
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
}

/** The page in front of an InvokeAI; `api` is another of its clients, as InvokeAI's own page is one. */
export const test = base.extend<UpstreamFixtures>({
  invokeAiOptions: [{}, { option: true }],
  invokeAi: async ({ invokeAiOptions }, use) => {
    const fake = await startFakeInvokeAi({ pageFolder, ...invokeAiOptions })
    await use(fake)
    await fake.close()
  },
  server: async ({ invokeAi }, use) => use(invokeAi),
  api: async ({ invokeAi }, use) => use(new LibraryMaker(connect({ baseUrl: invokeAi.url }))),
})
