import type { TestProject } from 'vitest/node'
import { TestEngines } from './test-engines.ts'

/** Starts the servers that the adapters of storage need, once for all test files. */
export const setup = async (project: TestProject): Promise<() => Promise<void>> => {
  const engines = new TestEngines()
  const { postgresUrl, s3Url } = await engines.start()
  if (postgresUrl !== null) project.provide('postgresUrl', postgresUrl)
  if (s3Url !== null) project.provide('s3Url', s3Url)
  return () => engines.stop()
}
