import type { TestProject } from 'vitest/node'
import { findPostgresPrograms, startPostgresServer } from './postgres-server.ts'
import { findS3Program, s3Credentials, startS3Server } from './s3-server.ts'

/** Starts the servers that the adapters of storage need, once for all test files. */
export const setup = async (project: TestProject): Promise<() => Promise<void>> => {
  const started: { stop(): Promise<void> }[] = []
  const programs = await findPostgresPrograms()
  if (programs !== null) {
    const postgres = await startPostgresServer(programs)
    started.push(postgres)
    project.provide('postgresUrl', postgres.url)
  }
  const s3Program = await findS3Program()
  if (s3Program !== null) {
    Object.assign(process.env, s3Credentials)
    const s3 = await startS3Server(s3Program)
    started.push(s3)
    project.provide('s3Url', s3.url)
  }
  return async () => {
    for (const engine of started) await engine.stop()
  }
}
