import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { entryFile, serverEnvironment } from './server-environment.ts'

const childSource = new URL('./server-host-child.ts', import.meta.url)

/** What to run from now on, in place of what ran: a server with these flags, or none. */
export interface HostRequest {
  flags: readonly string[] | null
}

export interface HostAnswer {
  url?: string
  fault?: string
}

/** A server in a process that it shares with those before and after it. */
export interface HostedServer {
  /** `http://127.0.0.1:<port>`, without a slash at the end. It stays the same over a restart. */
  readonly url: string
  restart(): Promise<void>
  close(): Promise<void>
}

/**
 * A process that runs one server after another. Most of what a start costs is loading the modules, and
 * here this is done once; who wants to kill a server starts a `ServerProcess`.
 */
export class ServerHost {
  #child: ChildProcess | null = null

  /** Starts a server with limits off, unless `--rate-limit` is among the flags. The one before is closed. */
  async open(dataFolder: string, flags: readonly string[]): Promise<HostedServer> {
    const limits = flags.includes('--rate-limit') ? [] : ['--rate-limit', 'off']
    const start = async (port: string): Promise<string> => {
      const all = ['--data', dataFolder, '--port', port, ...limits, ...flags]
      const { url } = await this.#ask({ flags: all })
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

  /** Ends the process. */
  async close(): Promise<void> {
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
      execArgv: [], // none of what the test runner was started with
      stdio: ['ignore', output, output, 'ipc'],
    })
    child.once('exit', () => {
      this.#child = null
    })
    this.#child = child
    return child
  }
}
