import { QueryClient } from '@tanstack/react-query'
import { type ConnectOptions, connect, RefusedError, type TesseraClient } from '#client/index.ts'
import type { PacerState } from '#client/transport/pacer.ts'
import { readOrCreate } from '#gallery/api/browser-storage.ts'
import { useSource } from '#gallery/api/listeners.ts'
import { useClient } from '#gallery/api/parts.ts'
import { AccountToken } from './account-token.ts'

const KEY = 'tessera:client-id'

const BYTES = 16

/** The ID of this browser, in all tabs and after a restart. The server keeps one event stream per client ID. */
const clientId = (): string => readOrCreate(KEY, randomId)

/** Returns a random ID. `crypto.randomUUID` is unavailable on pages over plain HTTP. */
export const randomId = (): string =>
  [...crypto.getRandomValues(new Uint8Array(BYTES))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')

export interface Connection {
  readonly client: TesseraClient
  /** A client whose requests continue after the page is unloaded. */
  readonly unloadClient: TesseraClient
  /** The token that both clients send. */
  readonly accountToken: AccountToken
  /** The name of this tab in its requests, so that the page can leave out its own changes. */
  readonly origin: string
}

/**
 * Connects the client library to the server.
 *
 * @param options - By default the origin of the page and the global `fetch`.
 */
export function connectToServer(options: Partial<ConnectOptions> = {}): Connection {
  const accountToken = new AccountToken()
  const origin = randomId()
  const common = { baseUrl: '', tokens: accountToken, origin, ...options }
  const { fetch = (url, init) => window.fetch(url, init) } = options
  return {
    client: connect({
      ...common,
      events: { clientId: clientId(), changes: true, ...options.events },
    }),
    unloadClient: connect({
      ...common,
      fetch: (url, init) => fetch(url, { ...init, keepalive: true }),
    }),
    accountToken,
    origin,
  }
}

/** Retries of an unanswered query before the page reports an error. */
const RETRIES = 1

export const createQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: {
        // A refusal is final. A missing answer may be a temporary network error.
        retry: (failures, error) => !(error instanceof RefusedError) && failures < RETRIES,
        retryDelay: 500,
        // A server on this machine is reachable even if the browser reports that it is offline.
        networkMode: 'always',
        // `LiveChanges` refetches what may have changed while the page was not seen.
        refetchOnWindowFocus: false,
        staleTime: 30_000,
        gcTime: 10 * 60_000,
      },
      mutations: { networkMode: 'always' },
    },
  })

/** Returns the requests that wait for the rate limits of the server, and until when. */
export const usePacer = (): PacerState => useSource(useClient().pacer)

/** When the next user action is sent, in milliseconds since 1970; null if none waits for the rate limits. */
export const useLimitWait = (): number | null => usePacer().foregroundAt
