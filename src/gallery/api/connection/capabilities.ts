import { type QueryClient, QueryObserver, queryOptions, useQuery } from '@tanstack/react-query'
import type { TesseraClient } from '#client/index.ts'
import { INVOKEAI_LIMITS } from '#contract/limits.ts'
import type { Capabilities, Extension } from '#contract/server/app-operations.ts'
import { usePart } from '#gallery/api/parts.ts'

/** The capabilities of the server: its kind, extensions and limits. They do not change while the page is open. */
const capabilitiesQuery = (client: TesseraClient) =>
  queryOptions({
    queryKey: ['capabilities'],
    queryFn: () => client.server.capabilities(),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  })

/** The loaded capabilities of the server, for code outside of components. */
export class ServerCapabilities {
  readonly #queryClient: QueryClient
  readonly query: ReturnType<typeof capabilitiesQuery>

  constructor(client: TesseraClient, queryClient: QueryClient) {
    this.#queryClient = queryClient
    this.query = capabilitiesQuery(client)
  }

  get areKnown(): boolean {
    return this.#current !== undefined
  }

  /** Asks the server, and calls back once it has answered. An unreachable server is asked again when it is back. */
  whenKnown(run: () => void): void {
    const observer = new QueryObserver(this.#queryClient, this.query)
    const stop = observer.subscribe(({ data }) => {
      if (data === undefined) return
      stop()
      run()
    })
  }

  /** True if the server is InvokeAI, with or without Tessera in front of it. False before they are known. */
  get isInvokeAi(): boolean {
    return this.#current?.server === 'invokeai'
  }

  get maxNamesPerRequest(): number {
    return this.#current?.limits.max_names_per_request ?? INVOKEAI_LIMITS.namesPerRequest
  }

  /** Returns true if the server has an extension. False before they are known. */
  has(name: Extension): boolean {
    return this.#current?.extensions.includes(name) ?? false
  }

  get #current(): Capabilities | undefined {
    return this.#queryClient.getQueryData(this.query.queryKey)
  }
}

/** Returns the capabilities of the server; undefined before they are known. */
export const useCapabilities = (): Capabilities | undefined =>
  useQuery(usePart(ServerCapabilities).query).data

export const useHasExtension = (name: Extension): boolean =>
  useCapabilities()?.extensions.includes(name) ?? false
