import { ConnectionError, type RefusedError } from '#client/errors.ts'
import type { AnswerOf, Operation, TypedOperation } from '#contract/operation.ts'
import { REFRESHED_TOKEN_HEADER } from '#contract/server/auth-operations.ts'
import { addressOf, isSegment } from './address.ts'
import type { AnyCallInput, CallArguments } from './call.ts'
import { limitsOf, Pacer } from './pacer.ts'
import { notFound, refusalOfAnswer } from './refusal-of-answer.ts'
import { sendByXhr } from './send-by-xhr.ts'
import type { TokenKeeper } from './token-keeper.ts'

/** The part of `fetch` that is used. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** Where a server is and how it is reached. */
export interface HttpOptions {
  /** Such as `http://127.0.0.1:9091`. Empty: the server that the page came from. */
  readonly baseUrl: string
  /** Absent: the platform's own. */
  readonly fetch?: Fetch | undefined
  /** Sent as a bearer token. */
  readonly token?: string | undefined
  /** Keeps the token of an account, which is then sent instead. */
  readonly tokens?: TokenKeeper | undefined
  /** Absent: one of its own. */
  readonly pacer?: Pacer | undefined
}

/** Sends the contract's operations to one server, and turns what comes back into values or errors. */
export class Http {
  readonly baseUrl: string
  readonly pacer: Pacer
  readonly #fetch: Fetch
  readonly #canUseXhr: boolean
  readonly #token: string | undefined
  readonly #tokens: TokenKeeper | undefined

  constructor({ baseUrl, fetch, token, tokens, pacer = new Pacer() }: HttpOptions) {
    this.baseUrl = baseUrl
    this.pacer = pacer
    this.#fetch = fetch ?? ((url, init) => globalThis.fetch(url, init))
    this.#canUseXhr = fetch === undefined && typeof XMLHttpRequest === 'function'
    this.#token = token
    this.#tokens = tokens
  }

  /**
   * Calls an operation that answers JSON.
   *
   * @throws {RefusedError} The server refused, or has no such path.
   * @throws {ConnectionError} No whole answer arrived.
   */
  async call<T extends TypedOperation>(
    operation: T,
    ...[input]: CallArguments<T>
  ): Promise<AnswerOf<T>> {
    const response = await this.#answer(operation, input)
    const isJson = (response.headers.get('content-type') ?? '').includes('json')
    if (!isJson) throw await this.#noSuchPath(operation, response, input)
    return (await this.#read(operation, input, () => response.json())) as AnswerOf<T>
  }

  /** Calls an operation that answers JSON lines, and gives each as it comes. */
  async *lines<T extends TypedOperation>(
    operation: T,
    ...[input]: CallArguments<T>
  ): AsyncGenerator<AnswerOf<T>> {
    const response = await this.#answer(operation, input)
    const isLines = (response.headers.get('content-type') ?? '').includes('ndjson')
    if (!isLines || response.body === null) {
      throw await this.#noSuchPath(operation, response, input)
    }
    const lines = linesOf(response.body)
    try {
      for (;;) {
        const { done, value } = await this.#read(operation, input, () => lines.next())
        if (done) return
        yield value as AnswerOf<T>
      }
    } finally {
      await lines.return(undefined)
    }
  }

  /** Calls an operation that answers bytes. */
  async bytes<T extends TypedOperation>(
    operation: T,
    ...[input]: CallArguments<T>
  ): Promise<Uint8Array<ArrayBuffer>> {
    const response = await this.#answer(operation, input)
    const isPage = (response.headers.get('content-type') ?? '').includes('text/html')
    if (isPage) throw await this.#noSuchPath(operation, response, input)
    return new Uint8Array(await this.#read(operation, input, () => response.arrayBuffer()))
  }

  /** The same, kept by the browser where it keeps what is large. */
  async blob<T extends TypedOperation>(operation: T, ...[input]: CallArguments<T>): Promise<Blob> {
    const response = await this.#answer(operation, input)
    return this.#read(operation, input, () => response.blob())
  }

  /** An answer with a status below 400. */
  async #answer(operation: Operation, input: AnyCallInput = {}): Promise<Response> {
    const url = addressOf(this.baseUrl, operation, input)
    if (!Object.values(input.params ?? {}).every(isSegment)) throw notFound(operation, url)
    const { priority = 'foreground', signal } = input
    const request = { limits: limitsOf(operation), priority, signal }
    let token = this.#token
    const response = await this.pacer.send(request, () => {
      // As late as that: while it waited, a newer one may have come.
      token = this.#tokens?.get() ?? this.#token
      return this.#send(operation, url, input, token)
    })
    if (response.status < 400) return response
    const refusal = await refusalOfAnswer(operation, response, url)
    if (refusal.code === 'login_required' && this.#isCurrentToken(token)) this.#tokens?.set(null)
    throw refusal
  }

  async #send(
    operation: Operation,
    url: string,
    input: AnyCallInput,
    token: string | undefined,
  ): Promise<Response> {
    const headers = new Headers({ accept: operation.mediaType ?? 'application/json' })
    if (token !== undefined) headers.set('authorization', `Bearer ${token}`)
    if (input.body !== undefined) headers.set('content-type', 'application/json')
    const body = input.parts ?? (input.body === undefined ? null : JSON.stringify(input.body))
    const { signal = null, onProgress } = input
    const init = { method: operation.method, headers, body, signal }
    try {
      // Only XMLHttpRequest tells how far an upload is.
      const isByXhr = onProgress !== undefined && this.#canUseXhr
      const response = isByXhr
        ? await sendByXhr(url, init, onProgress)
        : await this.#fetch(url, init)
      const newer = response.headers.get(REFRESHED_TOKEN_HEADER)
      if (newer !== null && this.#isCurrentToken(token)) this.#tokens?.set(newer)
      return response
    } catch (error) {
      throw this.#connectionFault(error, url, input)
    }
  }

  /** Whether a token is the one that is kept now. A login that was ended or replaced meanwhile stays so. */
  #isCurrentToken(token: string | undefined): boolean {
    return token !== undefined && this.#tokens?.get() === token
  }

  async #read<R>(
    operation: Operation,
    input: AnyCallInput | undefined,
    read: () => Promise<R>,
  ): Promise<R> {
    try {
      return await read()
    } catch (error) {
      throw this.#connectionFault(error, addressOf(this.baseUrl, operation, input), input)
    }
  }

  /** A call that was given up is no fault of the connection. */
  #connectionFault(error: unknown, url: string, input: AnyCallInput = {}): unknown {
    if (input.signal?.aborted) return input.signal.reason
    return new ConnectionError(url, { cause: error })
  }

  /** InvokeAI answers an unknown GET with its page and status 200 (wire 0). */
  async #noSuchPath(
    operation: Operation,
    response: Response,
    input: AnyCallInput | undefined,
  ): Promise<RefusedError> {
    await response.body?.cancel()
    return notFound(operation, addressOf(this.baseUrl, operation, input))
  }
}

/** The JSON lines of an answer, each as soon as it is whole. Leaving the loop early hangs up. */
async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<unknown> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      rest += done ? decoder.decode() : decoder.decode(value, { stream: true })
      const lines = rest.split('\n')
      rest = done ? '' : (lines.pop() ?? '')
      for (const line of lines) {
        if (line.trim() !== '') yield JSON.parse(line)
      }
      if (done) return
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}
