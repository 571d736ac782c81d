import { logOf } from '#server/start/log-of.ts'
import { type Opened, open } from '#server/start/run.ts'
import { readSettings } from '#server/start/settings.ts'
import { version } from '#server/start/version.ts'
import type { HostAnswer, HostRequest } from './server-host.ts'

/** Runs the servers that its parent requests, each in the same way as the command line does. */
let server: Opened['server'] | null = null

process.on('message', async (request: HostRequest) => {
  process.send?.(
    await answer(request).catch((error: unknown): HostAnswer => ({ fault: String(error) })),
  )
})
process.on('disconnect', () => process.exit())

async function answer(request: HostRequest): Promise<HostAnswer> {
  if ('settle' in request) {
    if (server?.settled === undefined) throw new Error('No server with a library is running.')
    await server.settled()
    return { url: server.address }
  }
  await server?.close()
  server = null
  if (request.flags === null) return {}
  const settings = readSettings(request.flags, version)
  const opened = await open(settings, logOf(settings))
  server = opened.server
  await server.listen(settings)
  return { url: server.address }
}
