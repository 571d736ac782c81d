import { type ChildProcess, execFile } from 'node:child_process'
import { once } from 'node:events'
import { access, constants } from 'node:fs/promises'
import { createServer } from 'node:net'
import { delimiter, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)

const isExecutable = (path: string): Promise<boolean> =>
  access(path, constants.X_OK).then(
    () => true,
    () => false,
  )

/** Returns the path of the first program that a folder of PATH, or one of `folders`, has. null: none has one. */
export const findProgram = async (
  names: readonly string[],
  folders: readonly string[] = [],
): Promise<string | null> => {
  for (const name of names) {
    for (const folder of [...(process.env.PATH ?? '').split(delimiter), ...folders]) {
      if (await isExecutable(join(folder, name))) return join(folder, name)
    }
  }
  return null
}

/** Finds a program. As root, installs its Debian package if necessary. null: it is not on this machine. */
export const findOrInstall = async (
  find: () => Promise<string | null>,
  debianPackage: string,
): Promise<string | null> => {
  const found = await find()
  if (found !== null || process.getuid?.() !== 0) return found
  const install = async () => {
    await run('apt-get', ['update', '-qq'])
    // The run level keeps Debian from starting the service of the package.
    await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', debianPackage], {
      env: { ...process.env, RUNLEVEL: '1' },
    })
  }
  return install().then(find, () => null)
}

export const isRunning = (child: ChildProcess | null): child is ChildProcess =>
  child !== null && child.exitCode === null && child.signalCode === null

/** Ends a process if it runs, and waits for its end. */
export const endProcess = async (
  child: ChildProcess | null,
  signal: NodeJS.Signals,
): Promise<void> => {
  if (!isRunning(child)) return
  const ended = once(child, 'exit')
  child.kill(signal)
  await ended
}

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
