import { once } from 'node:events'
import { access, constants } from 'node:fs/promises'
import { createServer } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

export const isExecutable = (path: string): Promise<boolean> =>
  access(path, constants.X_OK).then(
    () => true,
    () => false,
  )

export const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address !== null ? address.port : 0
}

const POLL_MS = 50
const START_MS = 60_000

/** Waits until a started server answers. Throws if its process has ended or it takes a minute. */
export const untilReady = async (
  name: string,
  isReady: () => Promise<boolean>,
  hasEnded: () => boolean,
): Promise<void> => {
  for (let waited = 0; waited < START_MS && !hasEnded(); waited += POLL_MS) {
    if (await isReady()) return
    await delay(POLL_MS)
  }
  throw new Error(`The ${name} server did not start.`)
}
