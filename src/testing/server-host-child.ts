import { open } from '#server/run.ts'
import { readSettings } from '#server/settings.ts'
import { version } from '#server/version.ts'
import type { HostAnswer, HostRequest } from './server-host.ts'

/** Runs the servers that its parent asks for, each in the same way as the command line does. */
let close = async () => {}

process.on('message', async (request: HostRequest) => {
  process.send?.(
    await answer(request).catch((error: unknown): HostAnswer => ({ fault: String(error) })),
  )
})
process.on('disconnect', () => process.exit())

async function answer(request: HostRequest): Promise<HostAnswer> {
  await close()
  close = async () => {}
  if (request.flags === null) return {}
  const settings = readSettings(request.flags, version)
  if ('text' in settings) throw new Error(settings.text)
  const { server } = await open(settings)
  close = () => server.close()
  await server.listen(settings)
  return { url: server.address }
}
