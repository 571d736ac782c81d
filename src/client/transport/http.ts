import { ConnectionError, GalleryError } from '#client/errors.ts'
import { backoffMs } from '#contract/backoff.ts'
import type { AnswerOf, Operation, TypedOperation } from '#contract/operation.ts'
import { REFRESHED_TOKEN_HEADER } from '#contract/server/auth-operations.ts'
import { MAX_ORIGIN_LENGTH, ORIGIN_HEADER } from '#contract/server/change-operations.ts'
import { addressOf, isSegment } from './address.ts'
import type { AnyCallInput, CallArguments } from './call.ts'
import { limitsOf, Pacer } from './pacer.ts'
import { notFound, refusalOfAnswer, retryAfterMsOf } from './refusal-of-answer.ts'
import { sendByXhr } from './send-by-xhr.ts'
import { anySignal, sleep } from './sleep.ts'
import type { TokenKeeper } from './token-keeper.ts'

/** The subset of `fetch` that the client uses. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** Address of a server, and the transport. */
export interface HttpOptions {
  /** Such as `http://127.0.0.1:9091`. An empty string means the server of the page. */
  readonly baseUrl: string
  /** The default is the platform's `fetch`. */
  readonly fetch?: Fetch | undefined
  /** Bearer token of every request. */
  readonly token?: string | undefined
  /** Stores the token of an account. It takes precedence over `token`. */
  readonly tokens?: TokenKeeper | undefined
  /**
   * Name of the source of all changes by this client, such as a tab: 1 to 100 printable ASCII characters without
   * spaces. With the same name as `exceptOrigin`, `changes` leaves them out. A server without the extension `changes`
   * ignores it.
   */
  readonly origin?: string | undefined
  /** The default is a new pacer. */
  readonly pacer?: Pacer | undefined
  /** Default of each call's `timeoutMs`. By default, calls have no time limit. */
  readonly timeoutMs?: number | undefined
  /**
   * Number of times that a failed request is sent again if the server answers 500, 502, 503 or 504. Only
   * requests that can safely be repeated are: those that read, and those that set properties. The default is 0.
   */
  readonly retries?: number | undefined
}

const RETRIED_STATUSES = [500, 502, 503, 504]

/** Delays between retries if the server names none. */
const retryBackoff = { firstMs: 500, longestMs: 8_000 }

/**
 * Sends operations of the contract to one server. Each call throws a `RefusedError` if the server refuses or has no
 * such path, and a `ConnectionError` if no complete response arrives.
 */
export class Http {
  readonly baseUrl: string
  readonly pacer: Pacer
  readonly #options: HttpOptions
  readonly #closing = new AbortController()

  /** @throws {RangeError} `origin` is invalid. */
  constructor(options: HttpOptions) {
    assertOrigin(options.origin)
    this.baseUrl = options.baseUrl
    this.pacer = options.pacer ?? new Pacer()
    this.#options = options
  }

  /** Aborts all calls. Later calls throw a `GalleryError`. */
  close(): void {
    this.#closing.abort(new GalleryError('The client is closed'))
  }

  /** Calls an operation with a JSON response. */
  async call<T extends TypedOperation>(
    operation: T,
    ...[input]: CallArguments<T>
  ): Promise<AnswerOf<T>> {
    const response = await this.#answer(operation, input)
    return (await this.#read(operation, input, () => response.json())) as AnswerOf<T>
  }

  /** Calls an operation whose response is in its status and headers. */
  async answer<T extends TypedOperation>(
    operation: T,
    ...[input]: CallArguments<T>
  ): Promise<Response> {
    return this.#answer(operation, input)
  }

  /** Calls an operation with a JSON lines response. Yields each line as soon as it is complete. */
  async *lines<T extends TypedOperation>(
    operation: T,
    ...[input]: CallArguments<T>
  ): AsyncGenerator<AnswerOf<T>> {
    const { body } = await this.#answer(operation, input)
    try {
      yield* linesOf(body) as AsyncGenerator<AnswerOf<T>>
    } catch (error) {
      throw this.#connectionFault(error, addressOf(this.baseUrl, operation, input), input)
    }
  }

  /** Calls an operation with a binary response. */
  async bytes<T extends TypedOperation>(
    operation: T,
    ...[input]: CallArguments<T>
  ): Promise<Uint8Array<ArrayBuffer>> {
    const response = await this.#answer(operation, input)
    return new Uint8Array(await this.#read(operation, input, () => response.arrayBuffer()))
  }

  /** Returns a binary response while it arrives. If it is cut off, reading it throws the error of `fetch`. */
  async stream<T extends TypedOperation>(
    operation: T,
    ...[input]: CallArguments<T>
  ): Promise<ReadableStream<Uint8Array>> {
    return (await this.#answer(operation, input)).body
  }

  /** Like {@link bytes}, but returns a `Blob`, which browsers can store on disk. */
  async blob<T extends TypedOperation>(operation: T, ...[input]: CallArguments<T>): Promise<Blob> {
    const response = await this.#answer(operation, input)
    return this.#read(operation, input, () => response.blob())
  }

  /** Sends a request. Returns the response if its status is below 400 and the server knows the path, else throws. */
  async #answer(operation: Operation, input: AnyCallInput = {}): Promise<Answer> {
    const url = addressOf(this.baseUrl, operation, input)
    if (!Object.values(input.params ?? {}).every(isSegment)) throw notFound(operation, url)
    const { priority = 'foreground' } = input
    const signal = anySignal([input.signal, this.#closing.signal], undefined)
    const request = { limits: limitsOf(operation), priority, signal }
    const { tokens, retries: maxRetries = 0 } = this.#options
    let { token } = this.#options
    for (let retries = 0; ; retries++) {
      const response = await this.pacer.send(request, () => {
        // Read the token now: it may have been renewed while the request waited.
        token = tokens?.get() ?? this.#options.token
        return this.#send(operation, url, input, token)
      })
      if (response.status < 400) {
        if (isAnswerOf(operation, response)) return response
        await response.body?.cancel()
        throw notFound(operation, url)
      }
      if (retries < maxRetries && isRetried(operation, response.status)) {
        await response.body?.cancel()
        await sleep(retryAfterMsOf(response.headers) ?? backoffMs(retryBackoff, retries), signal)
        continue
      }
      const refusal = await refusalOfAnswer(operation, response, url)
      if (refusal.code === 'login_required' && this.#isCurrentToken(token)) tokens?.set(null)
      throw refusal
    }
  }

  async #send(
    operation: Operation,
    url: string,
    input: AnyCallInput,
    token: string | undefined,
  ): Promise<Response> {
    const headers = new Headers({ accept: operation.mediaType ?? 'application/json' })
    for (const [name, value] of Object.entries(input.headers ?? {})) headers.set(name, value)
    if (token !== undefined) headers.set('authorization', `Bearer ${token}`)
    if (input.body !== undefined) headers.set('content-type', 'application/json')
    const json = input.body === undefined ? null : JSON.stringify(input.body)
    const body = input.parts ?? input.bytes ?? json
    if (input.bytes && operation.bytes) headers.set('content-type', operation.bytes)
    const { fetch = globalThis.fetch, tokens, origin } = this.#options
    // A GET changes nothing, and another header would keep browsers from using a preloaded answer.
    const isRead = operation.method === 'GET'
    if (origin !== undefined && !isRead) headers.set(ORIGIN_HEADER, origin)
    const { onProgress, timeoutMs = this.#options.timeoutMs } = input
    const signal = anySignal([input.signal, this.#closing.signal], timeoutMs) ?? null
    const init = { method: operation.method, headers, body, signal }
    try {
      // Only XMLHttpRequest reports upload progress.
      const canUseXhr = this.#options.fetch === undefined && typeof XMLHttpRequest === 'function'
      const response =
        onProgress !== undefined && canUseXhr
          ? await sendByXhr(url, init, onProgress)
          : await fetch(url, init)
      const newer = response.headers.get(REFRESHED_TOKEN_HEADER)
      if (newer !== null && this.#isCurrentToken(token)) tokens?.set(newer)
      return response
    } catch (error) {
      throw this.#connectionFault(error, url, input)
    }
  }

  /** False after a login ended or was replaced, which the response to an older token must not change. */
  #isCurrentToken(token: string | undefined): boolean {
    return token !== undefined && this.#options.tokens?.get() === token
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

  /** Returns the abort reason for an aborted call, else a `ConnectionError`. */
  #connectionFault(error: unknown, url: string, input: AnyCallInput = {}): unknown {
    if (input.signal?.aborted) return input.signal.reason
    if (this.#closing.signal.aborted) return this.#closing.signal.reason
    return new ConnectionError(url, { cause: error })
  }
}

/** Headers accept no other characters, and the server ignores longer origins. */
function assertOrigin(origin: string | undefined): void {
  if (origin === undefined) return
  const isPrintable = /^[\x21-\x7e]+$/.test(origin)
  if (isPrintable && origin.length <= MAX_ORIGIN_LENGTH) return
  throw new RangeError(
    `origin must have 1 to ${MAX_ORIGIN_LENGTH} printable ASCII characters without spaces`,
  )
}

type Answer = Response & { readonly body: ReadableStream<Uint8Array<ArrayBuffer>> }

/** Returns true if the server knows the path. InvokeAI answers an unknown GET with its HTML page. */
function isAnswerOf(
  { mediaType = 'json', bytes }: Operation,
  response: Response,
): response is Answer {
  const type = response.headers.get('content-type') ?? ''
  // Answers in headers.
  if (bytes !== undefined || response.status === 204) return !type.includes('text/html')
  const isRightType = mediaType.includes('json')
    ? type.includes(mediaType)
    : !type.includes('text/html')
  return isRightType && response.body !== null
}

/**
 * Returns true if a refused request may be sent again. A repeated DELETE answers differently, and a repeated
 * POST or PUT could enqueue twice.
 */
const isRetried = ({ method, isRead }: Operation, status: number): boolean =>
  RETRIED_STATUSES.includes(status) && (isRead === true || ['GET', 'PATCH'].includes(method))

/** Yields the JSON lines of a response. Leaving the loop early cancels the response. */
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
