import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import type { FolderListing, Import, ImportRequest, TesseraClient } from '#client/index.ts'
import { useHasExtension } from '#gallery/api/connection/capabilities.ts'
import type { Journal } from '#gallery/api/journal/journal.ts'
import type { Clock } from './clock.ts'
import { ImportHistory } from './import-history.ts'
import { usePart } from './parts.ts'

export type { FolderEntry, FolderListing, Import, ImportRequest } from '#client/index.ts'

/** Polling intervals of imports, in milliseconds. These requests count in no rate limit. */
const LOOK_MS = { justStarted: 250, running: 1_000, resting: 5_000, none: 15_000 }

/** The time for which an import counts as just started, in milliseconds. */
const START_MS = 5_000

interface ImportsApi {
  readonly client: Pick<TesseraClient, 'imports'>
  readonly queryClient: QueryClient
  readonly clock: Clock
  readonly journal: Pick<Journal, 'add' | 'confirm'>
}

export class Imports {
  readonly #api: ImportsApi
  readonly #history: ImportHistory
  /** Imports of the server from all clients: those since its start, newest first, then earlier interrupted ones. */
  readonly query
  #startedHereAt = Number.NEGATIVE_INFINITY

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
      staleTime: 0,
      gcTime: Number.POSITIVE_INFINITY,
      refetchOnWindowFocus: 'always',
      refetchInterval: ({ state }) => this.#lookAgainMs(state.data ?? []),
    })
  }

  /**
   * Starts the import of a folder.
   *
   * @throws {RefusedError | ConnectionError} Nothing was started.
   */
  async start(request: ImportRequest): Promise<Import> {
    const started = await this.#api.client.imports.start(request)
    this.#startedHereAt = this.#api.clock.elapsed()
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

  #lookAgainMs(imports: readonly Import[]): number {
    if (this.#api.clock.elapsed() - this.#startedHereAt < START_MS) return LOOK_MS.justStarted
    if (imports.some(({ state }) => state === 'running')) return LOOK_MS.running
    return imports.some(isImportActive) ? LOOK_MS.resting : LOOK_MS.none
  }

  #show(one: Import): void {
    this.#api.queryClient.setQueryData(this.query.queryKey, (all = []) =>
      all.some(({ import_id }) => import_id === one.import_id)
        ? all.map((other) => (other.import_id === one.import_id ? one : other))
        : [one, ...all],
    )
    void this.#api.queryClient.invalidateQueries({ queryKey: this.query.queryKey })
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
