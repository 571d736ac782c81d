import type { CallOptions } from '#client/transport/call.ts'
import type { Http } from '#client/transport/http.ts'
import {
  type Capabilities,
  type DemoProgress,
  type Extension,
  fillDemoLibrary,
  getAuthStatus,
  getCapabilities,
  getRereading,
  getVersion,
  invokeAiCapabilities,
  type Rereading,
} from '#contract/server/app-operations.ts'
import { checkLibrary, getHealth, type Health } from '#contract/server/health-operations.ts'
import { getUpstreamStatus, type UpstreamStatus } from '#contract/server/upstream-operations.ts'
import { orIfRefused } from './errors.ts'

/** Requests about the server itself: version, capabilities, health. */
export class ServerOperations {
  readonly #http: Http
  #capabilities: Promise<Capabilities> | null = null
  #known: Capabilities | null = null
  #isMultiUser: Promise<boolean> | null = null

  /** @internal */
  constructor(http: Http) {
    this.#http = http
  }

  /** Result of the last successful `capabilities` call; null before the first one. */
  get known(): Capabilities | null {
    return this.#known
  }

  /**
   * Reads the server's extensions to InvokeAI's API and its limits. The result is cached. For an InvokeAI it
   * has the version, no extensions and no rate limits.
   *
   * @throws {ConnectionError} No complete response arrived. The next call asks again.
   */
  capabilities(): Promise<Capabilities> {
    this.#capabilities ??= this.#askCapabilities().catch((error: unknown) => {
      this.#capabilities = null
      throw error
    })
    return this.#capabilities
  }

  /**
   * Returns true if the server has the extension.
   *
   * @throws {ConnectionError} The capabilities are not cached and no complete response arrived.
   */
  async has(extension: Extension): Promise<boolean> {
    return (await this.capabilities()).extensions.includes(extension)
  }

  /** Reads the version of InvokeAI that the server is, or whose API it speaks, such as `6.14.2`. */
  async version(options: CallOptions = {}): Promise<string> {
    return (await this.#http.call(getVersion, options)).version
  }

  /** Checks that the server can read its library. Exempt from rate limits. Not available on InvokeAI. */
  async checkLibrary(options: CallOptions = {}): Promise<void> {
    await this.#http.call(checkLibrary, options)
  }

  /** Returns whether the library takes changes. Needs no token. Not available on InvokeAI. */
  health(options: CallOptions = {}): Promise<Health> {
    return this.#http.call(getHealth, options)
  }

  /** Returns the state of the InvokeAI behind this server, also while it is down. null: no InvokeAI is behind it. */
  async upstream(options: CallOptions = {}): Promise<UpstreamStatus | null> {
    if ((await this.capabilities()).front === undefined) return null
    return this.#http.call(getUpstreamStatus, options)
  }

  /** Returns how far the server has read metadata again after an update (extension `rereading`). null: it has ended. */
  rereading(options: CallOptions = {}): Promise<Rereading | null> {
    return this.#http.call(getRereading, options)
  }

  /** Returns true if the server has accounts, as InvokeAI does in multi-user mode. The result is cached. */
  isMultiUser(): Promise<boolean> {
    this.#isMultiUser ??= this.#askMultiUser().catch((error: unknown) => {
      this.#isMultiUser = null
      throw error
    })
    return this.#isMultiUser
  }

  /**
   * Draws a demo library (extension `demo_library`).
   *
   * @param options.imageCount - Number of images; absent: the server's default.
   * @returns The progress after each image.
   */
  fillDemoLibrary(
    options: CallOptions & { readonly imageCount?: number | undefined } = {},
  ): AsyncIterable<DemoProgress> {
    const { imageCount, ...call } = options
    return this.#http.lines(fillDemoLibrary, { query: { image_count: imageCount }, ...call })
  }

  async #askCapabilities(): Promise<Capabilities> {
    const answer = await orIfRefused(this.#http.call(getCapabilities), null, 404)
    this.#known = answer ?? invokeAiCapabilities(await this.version())
    const { requests_per_minute, batch_requests_per_minute } = this.#known.limits
    this.#http.pacer.setLimits({ default: requests_per_minute, batch: batch_requests_per_minute })
    return this.#known
  }

  async #askMultiUser(): Promise<boolean> {
    // InvokeAI before 6.12 has neither accounts nor this path.
    const status = orIfRefused(this.#http.call(getAuthStatus), { multiuser_enabled: false }, 404)
    return (await status).multiuser_enabled
  }
}
