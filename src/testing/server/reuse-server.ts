import { afterAll, onTestFinished } from 'vitest'
import { emptyLibrary, emptyQueue } from '#testing/library/library-maker.ts'
import { type RunningServer, type ServerOptionsOfTest, startServer } from './start-server.ts'

/**
 * Shares one server between the tests of a file, since starting it takes longer than most tests. Each test
 * gets an empty library and an empty queue. If a test leaves anything else behind, the next test gets a new
 * server.
 *
 * @example
 * const getServer = reuseServer()
 * beforeEach(async () => {
 *   server = await getServer()
 * })
 */
export function reuseServer(options: ServerOptionsOfTest = {}): () => Promise<RunningServer> {
  let server: RunningServer | null = null
  const close = async () => {
    await server?.close()
    server = null
  }
  afterAll(close)
  return async () => {
    const inUse = server ?? (await startServer(options))
    server = inUse
    onTestFinished(async () => {
      await inUse.settled()
      await emptyQueue(inUse.client)
      if (!(await emptyLibrary(inUse.client))) await close()
    })
    return inUse
  }
}
