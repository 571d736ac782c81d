import { entryFile } from '#testing/server/server-environment.ts'
import type { FakeInvokeAi, FakeOptions } from './fake-invokeai/fake-invokeai.ts'

const source = new URL('./fake-invokeai/fake-invokeai.ts', import.meta.url)

/** Starts the fake InvokeAI from the build for tests. Its threads would load the source slowly. */
export async function openFakeInvokeAi(options: FakeOptions): Promise<FakeInvokeAi> {
  const { startFakeInvokeAi }: typeof import('./fake-invokeai/fake-invokeai.ts') = await import(
    entryFile(source)
  )
  return startFakeInvokeAi(options)
}
