import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'
import { entryFile, serverEnvironment } from './server-environment.ts'

const sourceMainFile = new URL('../../server/main.ts', import.meta.url)

/** A server ends within seconds. After this time, in milliseconds, the output of the test tells what it waits for. */
const STOP_WARNING_MS = 30_000

export interface ServerProcessOptions {
  /** Absent: a temporary folder, which `close` removes. */
  dataFolder?: string
  /** Further flags, such as `--max-upload 1MiB`. Rate limits are off unless `--rate-limit` is included. */
  flags?: readonly string[]
  /** Absent: the main file of the source. */
  mainFile?: string
  /** A module that the process loads first, such as a probe. */
  preload?: URL
}

/**
 * The real server in its own process, as a user starts it: `main.ts` on a free port with its own data folder.
 *
 * @example
 * const server = await ServerProcess.start()
 * await server.kill() // SIGKILL: no flush, no shutdown, no output
 * await server.startAgain()
 * await server.close()
 */
export class ServerProcess {
  readonly dataFolder: string
  #flags: readonly string[]
  readonly #ownsFolder: boolean
  readonly #mainFile: string
  readonly #preload: readonly string[]
  #child: ChildProcess | null = null
  /** Ids of the paused processes, each after its parent. */
  #paused: readonly number[] = []
  #url: URL | null = null

  private constructor(dataFolder: string, options: ServerProcessOptions) {
    this.dataFolder = dataFolder
    this.#flags = options.flags ?? []
    this.#ownsFolder = options.dataFolder === undefined
    this.#mainFile = options.mainFile ?? entryFile(sourceMainFile)
    this.#preload = options.preload === undefined ? [] : ['--import', options.preload.href]
  }

  static async start(options: ServerProcessOptions = {}): Promise<ServerProcess> {
    const folder = options.dataFolder ?? (await createTemporaryFolder())
    const server = new ServerProcess(folder, options)
    await server.startAgain()
    return server
  }

  /** `http://127.0.0.1:<port>`, without a trailing slash. It does not change at a restart. */
  get url(): string {
    if (this.#url === null) throw new Error('The server has not been started.')
    return this.#url.origin
  }

  get pid(): number | undefined {
    return this.#child?.pid
  }

  /** Starts on the same data and port. */
  async startAgain(): Promise<void> {
    const limits = this.#flags.includes('--rate-limit') ? [] : ['--rate-limit', 'off']
    // With an upstream, the server stores nothing.
    const data = this.#flags.includes('--upstream') ? [] : ['--data', this.dataFolder]
    const place = [...data, '--port', this.#url?.port ?? '0']
    const flags = [...place, ...limits, ...this.#flags]
    const child = spawn(process.execPath, [...this.#preload, this.#mainFile, ...flags], {
      env: serverEnvironment(),
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.#child = child
    this.#url = await addressOf(child)
  }

  /** Stops the server with SIGTERM and waits for the end. */
  async stop(): Promise<void> {
    await this.#end('SIGTERM')
  }

  /** Kills the server with SIGKILL. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL')
  }

  /** Stops the process and its children like a machine that hangs: connections stay open, and nothing answers (Linux). */
  pause(): void {
    this.#paused = pauseTree(this.#child?.pid)
  }

  /** Continues a paused process. Without effect on one that runs, whose children may end at any time. */
  resume(): void {
    for (const pid of this.#paused.toReversed()) process.kill(pid, 'SIGCONT')
    this.#paused = []
  }

  /** @param flags - Replace the earlier flags. */
  async restart(flags = this.#flags): Promise<void> {
    await this.stop()
    this.#flags = flags
    await this.startAgain()
  }

  /** Stops the server and removes its data folder if this class created it. */
  async close(): Promise<void> {
    await this.stop()
    if (this.#ownsFolder) await removeFolder(this.dataFolder)
  }

  async #end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    const child = this.#child
    this.#child = null
    this.#paused = []
    if (child === null || child.exitCode !== null || child.signalCode !== null) return
    const exit = once(child, 'exit')
    child.kill(signal)
    const warning = setTimeout(() => console.error(threadsOf(child.pid)), STOP_WARNING_MS)
    await exit
    clearTimeout(warning)
  }
}

/** Tells what the threads of a process that does not end are waiting for (Linux). */
function threadsOf(pid: number | undefined): string {
  const tasks = `/proc/${pid}/task`
  if (!existsSync(tasks)) return `Process ${pid} has not ended.`
  const read = (thread: string, file: string) =>
    readFileSync(join(tasks, thread, file), 'utf8').trim()
  const lines = readdirSync(tasks).map((thread) => {
    const state = /^State:\s*(.*)$/m.exec(read(thread, 'status'))?.[1]
    return `  ${read(thread, 'comm')}: ${state}, ${read(thread, 'wchan')}`
  })
  return [`Process ${pid} has not ended. Its threads:`, ...lines].join('\n')
}

/** Pauses a process and its descendants and returns their ids. First the process, so that it starts no further ones. */
function pauseTree(pid: number | undefined): number[] {
  if (pid === undefined || !existsSync(`/proc/${pid}/task`)) return []
  process.kill(pid, 'SIGSTOP')
  const children = readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').map(Number),
  )
  return [pid, ...children.filter((child) => child > 0).flatMap(pauseTree)]
}

/** Reads the address from the server's output, and continues to drain the output. */
async function addressOf(child: ChildProcess): Promise<URL> {
  const { stdout, stderr } = child
  if (stdout === null || stderr === null) throw new Error('The server has no output.')
  let said = ''
  stderr.on('data', (chunk) => {
    said += chunk
    if (process.env.DEBUG) process.stderr.write(chunk)
  })
  const lines = createInterface({ input: stdout })
  const address = new Promise<URL>((resolve) => {
    lines.on('line', (line) => {
      said += `${line}\n`
      const [, url] = /^ *Gallery +(\S+)/.exec(line) ?? []
      if (url !== undefined) resolve(new URL(url))
    })
  })
  const end = once(child, 'exit').then(([code, signal]) => {
    throw new Error(`The server ended with ${signal ?? code} before it listened.\n${said}`)
  })
  end.catch(() => {}) // ending is a fault only before the address
  return Promise.race([address, end])
}
