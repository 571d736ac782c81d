import type { TestProject } from 'vitest/node'
import { TestEngines } from './test-engines.ts'

/** Starts the servers that the adapters need, once for all test files. */
export const setup = async (project: TestProject): Promise<() => Promise<void>> => {
  const engines = new TestEngines()
  const { postgresUrl, s3Url, redisUrl, redisProgram } = await engines.start()
  if (postgresUrl !== null) project.provide('postgresUrl', postgresUrl)
  if (s3Url !== null) project.provide('s3Url', s3Url)
  if (redisUrl !== null) project.provide('redisUrl', redisUrl)
  if (redisProgram !== null) project.provide('redisProgram', redisProgram)
  return () => engines.stop()
}
