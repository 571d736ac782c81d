import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import type { FolderListing, Import, ImportRequest, TesseraClient } from '#client/index.ts'
import { useHasExtension } from '#gallery/api/connection/capabilities.ts'
import type { ServerEvents } from '#gallery/api/connection/server-events.ts'
import type { Journal } from '#gallery/api/journal/journal.ts'
import { ImportHistory } from './import-history.ts'
import { usePart } from './parts.ts'

export type { FolderEntry, FolderListing, Import, ImportRequest } from '#client/index.ts'

/** Polling intervals of imports without events, in milliseconds. These requests count in no rate limit. */
const POLL_MS = { running: 1_000, resting: 5_000 }

interface ImportsApi {
  readonly client: Pick<TesseraClient, 'imports'>
  readonly queryClient: QueryClient
  readonly events: Pick<ServerEvents, 'on' | 'onConnected' | 'onLost' | 'stream'>
  readonly journal: Pick<Journal, 'add' | 'confirm'>
}

export class Imports {
  readonly #api: ImportsApi
  readonly #history: ImportHistory
  /** Imports of the server from all clients: those since its start, newest first, then earlier interrupted ones. */
  readonly query
  #isAsking = false
  /** True if the imports may have changed since the last request. */
  #isBehind = false

  constructor(api: ImportsApi) {
    this.#api = api
    this.#history = new ImportHistory(api)
    this.query = queryOptions({
      queryKey: ['imports'] as const,
      queryFn: async ({ signal }): Promise<Import[]> => {
        const imports = await api.client.imports.list({ signal })
        void this.#history.addEnded(imports)
        return imports
      },
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: Number.POSITIVE_INFINITY,
      refetchOnWindowFocus: true,
      refetchInterval: ({ state }) => this.#pollMs(state.data ?? []),
    })
    const { events } = api
    events.on('imports_changed', () => void this.#askAgain())
    // Also begins and ends polling.
    events.onConnected(() => void this.#askAgain())
    events.onLost(() => void this.#askAgain())
  }

  /**
   * Starts the import of a folder.
   *
   * @throws {RefusedError | ConnectionError} Nothing was started.
   */
  async start(request: ImportRequest): Promise<Import> {
    const started = await this.#api.client.imports.start(request)
    if (!started.dry_run) this.#history.remember(started.import_id)
    this.#show(started)
    return started
  }

  /** Starts an interrupted or canceled import again. It skips imported files, so it continues where it stopped. */
  startAgain(one: Import): Promise<Import> {
    const { folder, boards, board_name, link, watch } = one
    return this.start({ folder, boards, link, watch, ...(board_name !== null && { board_name }) })
  }

  /**
   * Pauses, resumes or cancels an import. `cancel` removes an interrupted import from the list.
   *
   * @throws {RefusedError | ConnectionError} The import is unchanged.
   */
  async steer(importId: string, act: 'pause' | 'resume' | 'cancel'): Promise<void> {
    this.#show(await this.#api.client.imports[act](importId))
  }

  #pollMs(imports: readonly Import[]): number | false {
    if (this.#api.events.stream.getState().state.phase === 'open') return false
    return imports.some(({ state }) => state === 'running') ? POLL_MS.running : POLL_MS.resting
  }

  /** Reads the imports again. A hidden tab asks nothing until it is seen. */
  async #askAgain(): Promise<void> {
    this.#isBehind = true
    if (this.#isAsking) return
    this.#isAsking = true
    const { queryClient } = this.#api
    const { queryKey } = this.query
    while (this.#isBehind) {
      // The answer of a request that is active may be from before the change.
      await queryClient
        .getQueryCache()
        .find({ queryKey, fetchStatus: 'fetching' })
        ?.promise?.catch(() => {})
      this.#isBehind = false
      const refetchType = document.visibilityState === 'hidden' ? 'none' : 'active'
      await queryClient.invalidateQueries({ queryKey, refetchType })
    }
    this.#isAsking = false
  }

  #show(one: Import): void {
    this.#api.queryClient.setQueryData(this.query.queryKey, (all = []) =>
      all.some(({ import_id }) => import_id === one.import_id)
        ? all.map((other) => (other.import_id === one.import_id ? one : other))
        : [one, ...all],
    )
    void this.#askAgain()
  }
}

export const isImportActive = ({ state }: Pick<Import, 'state'>): boolean =>
  state === 'running' || state === 'paused' || state === 'watching'

/** Returns the imports, newest first; undefined while loading. `isStale` is true if the last request failed. */
export function useImports(): { imports: readonly Import[] | undefined; isStale: boolean } {
  const imports = usePart(Imports)
  const enabled = useHasExtension('imports')
  const { data, isError } = useQuery({ ...imports.query, enabled })
  return { imports: data, isStale: isError }
}

/** While an import runs, all refusals are reloaded after this many new ones. */
const REFUSALS_APART = 100

/** All refused files of an import. The import itself contains only the first ones. */
export const refusalsQuery = ({ imports }: TesseraClient, one: Import) => {
  const refused = isImportActive(one) ? Math.floor(one.refused / REFUSALS_APART) : one.refused
  return queryOptions({
    queryKey: ['refusals', one.import_id, isImportActive(one), refused] as const,
    queryFn: async ({ signal }) => (await imports.get(one.import_id, { signal })).refusals,
    staleTime: Number.POSITIVE_INFINITY,
    enabled: one.refused > one.refusals.length,
    placeholderData: (before) => before,
  })
}

/** The subfolders of a folder on the server. Default the home folder. */
export const foldersQuery = ({ imports }: TesseraClient, path: string | undefined) =>
  queryOptions({
    queryKey: ['folders', path ?? null] as const,
    queryFn: ({ signal }): Promise<FolderListing> => imports.folders(path, { signal }),
    // Folders change without a notification.
    staleTime: 5_000,
    gcTime: 60_000,
  })
