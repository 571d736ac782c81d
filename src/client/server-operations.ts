import type { CallOptions } from '#client/transport/call.ts'
import type { Http } from '#client/transport/http.ts'
import {
  type Capabilities,
  type DemoProgress,
  type Extension,
  fillDemoLibrary,
  getAuthStatus,
  getCapabilities,
  getHealth,
  getVersion,
  type Health,
  invokeAiCapabilities,
} from '#contract/server/app-operations.ts'
import { getUpstreamStatus, type UpstreamStatus } from '#contract/server/upstream-operations.ts'
import { RefusedError } from './errors.ts'

/** Which server this is and what it can do. */
export class ServerOperations {
  readonly #http: Http
  #capabilities: Promise<Capabilities> | null = null
  #known: Capabilities | null = null
  #isMultiUser: Promise<boolean> | null = null

  constructor(http: Http) {
    this.#http = http
  }

  /** What `capabilities` answered; null before. */
  get known(): Capabilities | null {
    return this.#known
  }

  /**
   * What the server adds to InvokeAI, and its limits, asked once. For an InvokeAI: its version, no
   * extensions and no limits.
   */
  async capabilities(): Promise<Capabilities> {
    this.#capabilities ??= this.#askCapabilities()
    try {
      return await this.#capabilities
    } catch (error) {
      this.#capabilities = null
      throw error
    }
  }

  /** Whether the server has an extension. */
  async has(extension: Extension): Promise<boolean> {
    return (await this.capabilities()).extensions.includes(extension)
  }

  /** The server's version, such as `6.14.0`. */
  async version(options: CallOptions = {}): Promise<string> {
    return (await this.#http.call(getVersion, options)).version
  }

  /** Answers while the server can read its library (extension). Counts in no limit. */
  health(options: CallOptions = {}): Promise<Health> {
    return this.#http.call(getHealth, options)
  }

  /**
   * How the InvokeAI is that this server stands in front of (extension): it answers while that one is down.
   *
   * @returns null where it stands in front of none.
   */
  async upstream(options: CallOptions = {}): Promise<UpstreamStatus | null> {
    if ((await this.capabilities()).front === undefined) return null
    return this.#http.call(getUpstreamStatus, options)
  }

  /** Whether the server keeps accounts, asked once. InvokeAI does in its multi-user mode. */
  isMultiUser(): Promise<boolean> {
    this.#isMultiUser ??= this.#askMultiUser().catch((error: unknown) => {
      this.#isMultiUser = null
      throw error
    })
    return this.#isMultiUser
  }

  /** Draws a demo library (extension `demo_library`), and says after each picture how far it is. */
  fillDemoLibrary(
    options: CallOptions & { readonly imageCount?: number | undefined } = {},
  ): AsyncIterable<DemoProgress> {
    const { imageCount, ...call } = options
    return this.#http.lines(fillDemoLibrary, { query: { image_count: imageCount }, ...call })
  }

  async #askCapabilities(): Promise<Capabilities> {
    this.#known = await this.#http.call(getCapabilities).catch(async (error: unknown) => {
      if (error instanceof RefusedError && error.status === 404) {
        return invokeAiCapabilities(await this.version())
      }
      throw error
    })
    const { requests_per_minute, batch_requests_per_minute } = this.#known.limits
    this.#http.pacer.setLimits({ default: requests_per_minute, batch: batch_requests_per_minute })
    return this.#known
  }

  async #askMultiUser(): Promise<boolean> {
    try {
      return (await this.#http.call(getAuthStatus)).multiuser_enabled
    } catch (error) {
      // Before 6.12 InvokeAI had neither accounts nor this path.
      if (error instanceof RefusedError && error.status === 404) return false
      throw error
    }
  }
}
