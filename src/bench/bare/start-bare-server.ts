import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** Starts the minimal server in a process. It writes files to this folder. */
export const startBareServer = async (folder: string) => {
  const file = fileURLToPath(new URL('./bare-upload-server.ts', import.meta.url))
  const child = spawn(process.execPath, [file, folder], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = await once(child.stdout, 'data')
  return { url: String(line).trim(), stop: () => child.kill() }
}
