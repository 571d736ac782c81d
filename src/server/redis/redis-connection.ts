import { setImmediate as afterInput, setTimeout as delay } from 'node:timers/promises'
import { Redis, type RedisOptions } from 'ioredis'
import { Refusal } from '#server/core/refusal.ts'
import { RedisError, reasonOf } from './redis-error.ts'

/** Longest wait for a connection. */
const CONNECT_MS = 5_000

/** Longest wait before a lost connection is opened again. */
const RETRY_MS = 1_000

/** Interval of checks of both connections, and the time in which Redis has to answer them. */
const CHECK_MS = 1_000
const SILENCE_MS = 2_000

/** Commands are sent at once or fail: a late one would count a request or send an event that is no longer current. */
const options = {
  lazyConnect: true,
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
  autoResubscribe: false,
  // `prepare` fails while Redis loads its data.
  enableReadyCheck: false,
  maxRetriesPerRequest: 0,
  connectTimeout: CONNECT_MS,
  disconnectTimeout: 0,
  disableClientInfo: true,
} satisfies RedisOptions

export interface RedisConnectionOptions {
  url: string
  /** Identifies the library, so that several libraries can share a Redis. */
  library: string
  /** Lua scripts by name. All their keys are arguments. */
  scripts: Readonly<Record<string, string>>
  /** Called with errors of listeners and of work in the background. */
  onFailure(error: unknown): void
}

type Value = string | number | Buffer

type Call = (count: number, ...values: Value[]) => Promise<unknown>

/** Receives the messages of a channel. */
type Receive = (text: string) => void

/**
 * The connections of a process to Redis: one for commands, one for messages. Opens lost connections again. It counts
 * as connected only while both are open, because a process without either misses messages or loses its own.
 */
export class RedisConnection {
  readonly #commands: Redis
  readonly #messages: Redis
  readonly #parts: RedisConnectionOptions
  readonly #receivers = new Map<string, Receive>()
  readonly #preparations: (() => Promise<void>)[] = []
  readonly #listeners = new Set<(isConnected: boolean) => void>()
  readonly #ending = new AbortController()
  #isConnected = false
  #isOpen = false
  #lastError: unknown = null
  #watching: Promise<void> | null = null

  constructor(parts: RedisConnectionOptions) {
    this.#parts = parts
    const retryStrategy = (times: number) =>
      this.#isOpen ? Math.min(50 * 2 ** times, RETRY_MS) : null
    const scripts = Object.entries(parts.scripts).map(([name, lua]) => [name, { lua }])
    const all = { ...options, retryStrategy }
    this.#commands = new Redis<'legacy'>(parts.url, {
      ...all,
      scripts: Object.fromEntries(scripts),
    })
    this.#messages = new Redis<'legacy'>(parts.url, all)
    for (const client of this.#clients) {
      client.on('error', (error) => {
        this.#lastError = error
      })
      client.on('close', () => this.#setConnected(false))
      client.on('ready', () => void this.#prepare())
    }
    this.#messages.on('message', (channel: string, text: string) => {
      try {
        this.#receivers.get(channel)?.(text)
      } catch (error) {
        parts.onFailure(error)
      }
    })
  }

  get isConnected(): boolean {
    return this.#isConnected
  }

  /** Returns the name of a key or channel of this library. The braces keep all of them on one node of a cluster. */
  key(name: string): string {
    return `tessera:{${this.#parts.library}}:${name}`
  }

  /** Receives the messages of a channel. Call it before `open`. */
  receive(channel: string, receive: Receive): void {
    this.#receivers.set(channel, receive)
  }

  /** Runs whenever both connections are open, before the connection counts as connected. Call it before `open`. */
  prepare(work: () => Promise<void>): void {
    this.#preparations.push(work)
  }

  /** Calls a listener when `isConnected` changes. Returns a function that removes it. */
  onConnection(listener: (isConnected: boolean) => void): () => void {
    const own = (isConnected: boolean) => listener(isConnected)
    this.#listeners.add(own)
    return () => void this.#listeners.delete(own)
  }

  /**
   * Connects, and tries all commands that the server needs.
   *
   * @param check - Receives the answer of `INFO`, or null if this user may not ask for it.
   * @throws {RedisError} Redis cannot be used.
   */
  async open(check: (info: string | null) => void): Promise<void> {
    const deadline = setTimeout(() => this.#disconnect(), CONNECT_MS)
    try {
      await Promise.all(this.#clients.map((client) => client.connect()))
      // Such as an unknown database, after which the client goes on with another one.
      if (this.#lastError !== null) throw this.#lastError
      check(await this.#commands.info().catch(() => null))
      await this.#subscribeAndPrepare()
      if (!this.#isReady) throw new Error('Connection is closed.')
    } catch (error) {
      this.#disconnect()
      if (error instanceof RedisError) throw error
      throw new RedisError(reasonOf(this.#parts.url, this.#lastError ?? error), { cause: error })
    } finally {
      clearTimeout(deadline)
    }
    this.#isOpen = true
    this.#setConnected(true)
    this.#watching = Promise.all(this.#clients.map((client) => this.#watch(client))).then(() => {})
  }

  /** Runs a script. Its result depends on the script. */
  run(name: string, keys: readonly string[], values: readonly Value[]): Promise<unknown> {
    const call = (this.#commands as unknown as Record<string, Call>)[name]
    if (call === undefined) throw new Error(`There is no script ${name}.`)
    return call.call(this.#commands, keys.length, ...keys, ...values)
  }

  /**
   * Sends commands that a client waits for.
   *
   * @throws {Refusal} `redis_down`.
   */
  async ask<Result>(work: (commands: Redis) => Promise<Result>): Promise<Result> {
    try {
      return await work(this.#commands)
    } catch (cause) {
      throw new Refusal('redis_down', undefined, { cause })
    }
  }

  /** Sends a message to all processes. Resolves when Redis has it. */
  async publish(channel: string, text: string): Promise<void> {
    await this.#commands.publish(channel, text)
  }

  async close(): Promise<void> {
    this.#isOpen = false
    this.#ending.abort()
    this.#listeners.clear()
    this.#disconnect()
    await this.#watching
  }

  get #clients(): readonly Redis[] {
    return [this.#commands, this.#messages]
  }

  get #isReady(): boolean {
    return this.#clients.every(({ status }) => status === 'ready')
  }

  #disconnect(): void {
    for (const client of this.#clients) client.disconnect()
  }

  /** Connects again after both connections were lost and opened again. If that fails, it starts over. */
  async #prepare(): Promise<void> {
    if (!this.#isOpen || !this.#isReady) return
    try {
      await this.#subscribeAndPrepare()
      this.#setConnected(this.#isReady)
    } catch {
      const { signal } = this.#ending
      await delay(RETRY_MS, undefined, { signal, ref: false }).catch(() => {})
      if (!signal.aborted) for (const client of this.#clients) client.disconnect(true)
    }
  }

  async #subscribeAndPrepare(): Promise<void> {
    await this.#messages.subscribe(...this.#receivers.keys())
    for (const work of this.#preparations) await work()
  }

  #setConnected(isConnected: boolean): void {
    if (this.#isConnected === isConnected || !this.#isOpen) return
    this.#isConnected = isConnected
    for (const listener of [...this.#listeners]) listener(isConnected)
  }

  /** Closes a connection whose peer is silent. TCP alone reports that after many minutes. */
  async #watch(client: Redis): Promise<void> {
    const { signal } = this.#ending
    const wait = (ms: number) => delay(ms, undefined, { signal, ref: false }).catch(() => {})
    while (!signal.aborted) {
      await wait(CHECK_MS)
      const { stream } = client
      const isSilent =
        client.status === 'ready'
          ? await Promise.race([
              client.ping().then(
                () => false,
                () => false,
              ),
              // After a pause of this process, its timers run before it reads the answers that have arrived.
              wait(SILENCE_MS).then(() => afterInput(true)),
            ])
          : await wait(SILENCE_MS).then(() => client.status === 'connect')
      if (isSilent && !signal.aborted && client.stream === stream) client.disconnect(true)
    }
  }
}
