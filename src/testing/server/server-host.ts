import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { connect } from '#client/index.ts'
import { emptyLibrary, emptyQueue } from '#testing/library/library-maker.ts'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'
import { entryFile, serverEnvironment } from './server-environment.ts'

const childSource = new URL('./server-host-child.ts', import.meta.url)

/**
 * Starts a server with these flags in place of the previous one (null: only closes it), or waits until the
 * current one is idle.
 */
export type HostRequest = { flags: readonly string[] | null } | { settle: true }

export interface HostAnswer {
  url?: string
  fault?: string
}

/** A server in a process that runs others before and after it. */
export interface HostedServer {
  /** `http://127.0.0.1:<port>`, without a trailing slash. It does not change at a restart. */
  readonly url: string
  restart(): Promise<void>
  close(): Promise<void>
}

/**
 * A process that runs one server after another, so that modules, the main cost of a start, are loaded only
 * once. To kill a server, start a `ServerProcess` instead.
 */
export class ServerHost {
  #child: ChildProcess | null = null
  /** The server of `openEmpty` and its data folder. */
  #empty: { server: HostedServer; folder: string } | null = null

  /**
   * Starts a server without rate limits, unless the flags include `--rate-limit`. Closes the previous one.
   *
   * @param dataFolder - null with `--upstream`, where nothing is stored.
   */
  async open(dataFolder: string | null, flags: readonly string[]): Promise<HostedServer> {
    await this.#closeEmpty()
    return this.#start(dataFolder, flags)
  }

  /**
   * Opens a server with an empty library and no flags, to be returned with `takeBack`. It may be the previous
   * one, because starting a server with its threads and processes costs most of a second of CPU.
   */
  async openEmpty(): Promise<HostedServer> {
    if (this.#empty === null) {
      const folder = await createTemporaryFolder()
      this.#empty = { server: await this.#start(folder, []), folder }
    }
    return this.#empty.server
  }

  /**
   * Empties the queue and the library of the server of `openEmpty` for its next user. If that fails, closes
   * the server.
   */
  async reclaim(): Promise<void> {
    if (this.#empty === null) return
    const client = connect({ baseUrl: this.#empty.server.url })
    const isSettled = await this.#ask({ settle: true }).then(
      () => true,
      () => false, // its user closed it
    )
    if (isSettled) await emptyQueue(client)
    if (!isSettled || !(await emptyLibrary(client))) await this.#closeEmpty()
  }

  async #start(dataFolder: string | null, flags: readonly string[]): Promise<HostedServer> {
    const data = dataFolder === null ? [] : ['--data', dataFolder]
    const limits = flags.includes('--rate-limit') ? [] : ['--rate-limit', 'off']
    const start = async (port: string): Promise<string> => {
      const { url } = await this.#ask({ flags: [...data, '--port', port, ...limits, ...flags] })
      if (url === undefined) throw new Error('The server has no address.')
      return url
    }
    const url = await start('0')
    return {
      url,
      restart: async () => void (await start(new URL(url).port)),
      close: async () => void (await this.#ask({ flags: null })),
    }
  }

  async #closeEmpty(): Promise<void> {
    if (this.#empty === null) return
    const { server, folder } = this.#empty
    this.#empty = null
    await server.close()
    await removeFolder(folder)
  }

  /** Ends the process. */
  async close(): Promise<void> {
    await this.#closeEmpty()
    const child = this.#child
    if (child === null) return
    const exit = once(child, 'exit')
    child.disconnect()
    await exit
  }

  async #ask(request: HostRequest): Promise<HostAnswer> {
    const child = this.#running()
    const end = new AbortController()
    const died = once(child, 'exit', end).then(([code, signal]): HostAnswer => {
      throw new Error(`The process of the server ended with ${signal ?? code}.`)
    })
    const answered = once(child, 'message', end).then(([answer]): HostAnswer => answer)
    child.send(request)
    const answer = await Promise.race([answered, died]).finally(() => {
      died.catch(() => {})
      answered.catch(() => {})
      end.abort()
    })
    if (answer.fault !== undefined) throw new Error(answer.fault)
    return answer
  }

  #running(): ChildProcess {
    if (this.#child !== null) return this.#child
    const output = process.env.DEBUG ? 'inherit' : 'ignore'
    const child = fork(entryFile(childSource), {
      env: serverEnvironment(),
      execArgv: [], // without the options of the test runner
      stdio: ['ignore', output, output, 'ipc'],
    })
    child.once('exit', () => {
      this.#child = null
    })
    this.#child = child
    return child
  }
}
