import { queryOptions, useQuery } from '@tanstack/react-query'
import type { FolderListing, Import, ImportRequest } from '#client/index.ts'
import { useHasExtension } from '#gallery/api/connection/capabilities.ts'
import { theGallery } from '#gallery/api/the-gallery.ts'
import { refreshInSight } from './after-changes.ts'
import { throttled } from './clock.ts'

export type { FolderEntry, FolderListing, Import, ImportRequest } from '#client/index.ts'

/** Returns true if an import is running, watching or paused. */
export const isImportActive = ({ state }: Pick<Import, 'state'>): boolean =>
  state === 'running' || state === 'paused' || state === 'watching'

/** Polling intervals of imports, in milliseconds. These requests count in no rate limit. */
const LOOK_MS = { justStarted: 250, running: 1_000, resting: 5_000, none: 15_000 }

/** The time for which an import counts as just started, in milliseconds. */
const START_MS = 5_000

let startedHereAt = Number.NEGATIVE_INFINITY

/** Imports of the server from all clients: those since its start, newest first, then earlier interrupted ones. */
const importsQuery = queryOptions({
  queryKey: ['imports'] as const,
  queryFn: ({ signal }): Promise<Import[]> => theGallery.client.imports.list({ signal }),
  staleTime: 0,
  gcTime: Number.POSITIVE_INFINITY,
  refetchOnWindowFocus: 'always',
  refetchInterval: ({ state }) => lookAgainMs(state.data ?? []),
})

function lookAgainMs(imports: readonly Import[]): number {
  if (performance.now() - startedHereAt < START_MS) return LOOK_MS.justStarted
  if (imports.some(({ state }) => state === 'running')) return LOOK_MS.running
  return imports.some(isImportActive) ? LOOK_MS.resting : LOOK_MS.none
}

/** Returns the imports, newest first; undefined while loading. `isStale` is true if the last request failed. */
export function useImports(): { imports: readonly Import[] | undefined; isStale: boolean } {
  const enabled = useHasExtension('imports')
  const { data, isError } = useQuery({ ...importsQuery, enabled })
  return { imports: data, isStale: isError }
}

/** While an import runs, all refusals are reloaded after this many new ones. */
const REFUSALS_APART = 100

/** All refused files of an import. The import itself contains only the first ones. */
export const refusalsQuery = (one: Import) => {
  const refused = isImportActive(one) ? Math.floor(one.refused / REFUSALS_APART) : one.refused
  return queryOptions({
    queryKey: ['refusals', one.import_id, isImportActive(one), refused] as const,
    queryFn: async ({ signal }) =>
      (await theGallery.client.imports.get(one.import_id, { signal })).refusals,
    staleTime: Number.POSITIVE_INFINITY,
    enabled: one.refused > one.refusals.length,
    placeholderData: (before) => before,
  })
}

/**
 * Starts the import of a folder.
 *
 * @throws {RefusedError | ConnectionError} Nothing was started.
 */
export async function startImport(request: ImportRequest): Promise<Import> {
  const started = await theGallery.client.imports.start(request)
  startedHereAt = performance.now()
  show(started)
  return started
}

/** Starts an interrupted or canceled import again. It skips imported files, so it continues where it stopped. */
export function startAgain(one: Import): Promise<Import> {
  const { folder, boards, board_name, link, watch } = one
  return startImport({ folder, boards, link, watch, ...(board_name !== null && { board_name }) })
}

/**
 * Pauses, resumes or cancels an import. `cancel` removes an interrupted import from the list.
 *
 * @throws {RefusedError | ConnectionError} The import is unchanged.
 */
export async function steerImport(
  importId: string,
  act: 'pause' | 'resume' | 'cancel',
): Promise<void> {
  show(await theGallery.client.imports[act](importId))
}

/** Adds an answer of the server to the cached imports, and refetches them. */
function show(one: Import): void {
  theGallery.queryClient.setQueryData(importsQuery.queryKey, (all = []) =>
    all.some(({ import_id }) => import_id === one.import_id)
      ? all.map((other) => (other.import_id === one.import_id ? one : other))
      : [one, ...all],
  )
  void theGallery.queryClient.invalidateQueries({ queryKey: importsQuery.queryKey })
}

/** The first and the longest gap between refreshes while images are imported, in milliseconds. */
const SHOW_MS = { first: 1_000, longest: 10_000 }

/** Refreshes the visible views while images are imported, with increasing gaps. */
export const refreshDuringImport = throttled(theGallery.clock, refreshInSight, {
  gapMs: SHOW_MS.first,
  maxGapMs: SHOW_MS.longest,
})

/** Refreshes the visible views at once when no more images are being imported. */
export const refreshAfterImport = refreshInSight

/** The subfolders of a folder on the server. Default the home folder. */
export const foldersQuery = (path: string | undefined) =>
  queryOptions({
    queryKey: ['folders', path ?? null] as const,
    queryFn: ({ signal }): Promise<FolderListing> =>
      theGallery.client.imports.folders(path, { signal }),
    // Folders change without a notification.
    staleTime: 5_000,
    gcTime: 60_000,
  })
