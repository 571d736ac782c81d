/** An error as data. The copy of an error would lose its class and its fields. */
export interface ErrorData {
  name: string
  message: string
  stack: string
  [field: string]: string
}

export type Message =
  | { kind: 'call'; id: number; method: string; args: readonly unknown[] }
  | { kind: 'abort'; id: number }
  | { kind: 'progress'; id: number; progress: unknown }
  | { kind: 'value'; id: number; value: unknown }
  | { kind: 'error'; id: number; error: ErrorData }

export type ArgsOf<Method> = Method extends (...args: infer Args) => unknown ? Args : never
export type ValueOf<Method> = Method extends (...args: never[]) => infer Value
  ? Awaited<Value>
  : never

export interface IncomingCall {
  /** Aborted when the caller gives up. The caller still waits for the answer. */
  readonly signal: AbortSignal
  /** Sends progress to the caller. Resolves when it has been sent. */
  report(progress: unknown): Promise<void>
}

/** Answers calls from the other process, by method. */
export type Handlers<Methods> = {
  readonly [Name in keyof Methods]: (
    args: ArgsOf<Methods[Name]>,
    call: IncomingCall,
  ) => ValueOf<Methods[Name]> | Promise<ValueOf<Methods[Name]>>
}

interface OpenCall {
  resolve(value: unknown): void
  reject(error: Error): void
  onProgress(progress: unknown): void
}

type AnyHandlers = Readonly<
  Record<string, (args: readonly unknown[], call: IncomingCall) => unknown>
>

/**
 * Calls between two processes, in both directions over one channel.
 *
 * @typeParam Methods - The methods of the other process.
 * @typeParam Requests - The methods of this process.
 */
export class Calls<Methods, Requests = object> {
  readonly #post: (message: Message) => Promise<void>
  readonly #handlers: AnyHandlers
  readonly #errorOf: (error: ErrorData) => Error
  readonly #open = new Map<number, OpenCall>()
  readonly #incoming = new Map<number, AbortController>()
  #last = 0
  /** True if the other process has answered a call. */
  hasAnswered = false

  /**
   * @param post - Sends a message. Resolves when it has been sent.
   * @param errorOf - Restores an error of the other process.
   */
  constructor(
    post: (message: Message) => Promise<void>,
    handlers: Handlers<Requests>,
    errorOf: (error: ErrorData) => Error = ({ message }) => new Error(message),
  ) {
    this.#post = post
    this.#handlers = handlers as unknown as AnyHandlers
    this.#errorOf = errorOf
  }

  /** True if no call waits for its answer. */
  get isIdle(): boolean {
    return this.#open.size === 0
  }

  /** @returns The answer, and a function that asks the other process to abort the call. */
  start<Name extends keyof Methods & string>(
    method: Name,
    args: ArgsOf<Methods[Name]>,
    onProgress: (progress: never) => void = () => undefined,
  ): { answer: Promise<ValueOf<Methods[Name]>>; abort(): void } {
    this.#last += 1
    const id = this.#last
    const answer = new Promise<unknown>((resolve, reject) => {
      this.#open.set(id, { resolve, reject, onProgress: onProgress as OpenCall['onProgress'] })
      void this.#post({ kind: 'call', id, method, args })
    })
    return {
      answer: answer as Promise<ValueOf<Methods[Name]>>,
      abort: () => void this.#post({ kind: 'abort', id }),
    }
  }

  call<Name extends keyof Methods & string>(
    method: Name,
    ...args: ArgsOf<Methods[Name]>
  ): Promise<ValueOf<Methods[Name]>> {
    return this.start(method, args).answer
  }

  /** Handles a message that the other process sent with `post`. */
  receive(message: Message): void {
    if (message.kind === 'call') void this.#answer(message)
    else if (message.kind === 'abort') this.#incoming.get(message.id)?.abort()
    else if (message.kind === 'progress') this.#open.get(message.id)?.onProgress(message.progress)
    else this.#settle(message)
  }

  /** Rejects all calls that wait for an answer, after the other process has ended. */
  failAll(error: Error): void {
    for (const call of this.#open.values()) call.reject(error)
    this.#open.clear()
  }

  #settle(message: Extract<Message, { kind: 'value' | 'error' }>): void {
    this.hasAnswered = true
    const call = this.#open.get(message.id)
    this.#open.delete(message.id)
    if (message.kind === 'value') call?.resolve(message.value)
    else call?.reject(this.#errorOf(message.error))
  }

  async #answer({ id, method, args }: Extract<Message, { kind: 'call' }>): Promise<void> {
    const aborting = new AbortController()
    this.#incoming.set(id, aborting)
    const report = (progress: unknown) => this.#post({ kind: 'progress', id, progress })
    try {
      const value = await this.#handlers[method]?.(args, { signal: aborting.signal, report })
      await this.#post({ kind: 'value', id, value })
    } catch (error) {
      await this.#post({ kind: 'error', id, error: dataOf(error) })
    } finally {
      this.#incoming.delete(id)
    }
  }
}

const dataOf = (error: unknown): ErrorData => {
  if (!(error instanceof Error)) {
    return { name: 'Error', message: String(error), stack: String(error) }
  }
  const { name, message, stack = `${name}: ${message}` } = error
  const fields = Object.entries(error).filter(([, value]) => typeof value === 'string')
  return { ...Object.fromEntries(fields), name, message, stack }
}
