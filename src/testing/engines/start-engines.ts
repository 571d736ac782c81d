import type { TestProject } from 'vitest/node'
import { findPostgresPrograms, startPostgresServer } from './postgres-server.ts'

/** Starts the servers that the adapters of storage need, once for all test files. */
export const setup = async (project: TestProject): Promise<() => Promise<void>> => {
  const programs = await findPostgresPrograms()
  if (programs === null) return async () => {}
  const postgres = await startPostgresServer(programs)
  project.provide('postgresUrl', postgres.url)
  return () => postgres.stop()
}
