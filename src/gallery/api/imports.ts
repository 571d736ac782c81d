import { queryOptions, useQuery } from '@tanstack/react-query'
import type { FolderListing, Import, ImportRequest } from '#client/index.ts'
import { useHasExtension } from '#gallery/api/connection/capabilities.ts'
import { gallery, queryClient } from '#gallery/api/connection/connection.ts'
import { refreshInSight } from './after-changes.ts'
import { throttledWithBackoff } from './throttled-with-backoff.ts'

export type { FolderEntry, FolderListing, Import, ImportRequest } from '#client/index.ts'

/** Whether it goes on, or would if it were resumed. */
export const isImportActive = ({ state }: Pick<Import, 'state'>): boolean =>
  state === 'running' || state === 'paused' || state === 'watching'

/** How soon an import is looked at again, in milliseconds: asking counts in no limit. */
const LOOK_MS = { justStarted: 250, running: 1_000, resting: 5_000, none: 15_000 }

/** For so long an import has just been started, in milliseconds. */
const START_MS = 5_000

let startedHereAt = Number.NEGATIVE_INFINITY

/** Imports since the server started, newest first, then those cut off before; started anywhere on its machine. */
const importsQuery = queryOptions({
  queryKey: ['imports'] as const,
  queryFn: ({ signal }): Promise<Import[]> => gallery.imports.list({ signal }),
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

/**
 * What is and was brought in, newest first; undefined before the server has told. And whether it has just
 * not answered: then this is how it was.
 */
export function useImports(): { imports: readonly Import[] | undefined; isStale: boolean } {
  const enabled = useHasExtension('imports')
  const { data, isError } = useQuery({ ...importsQuery, enabled })
  return { imports: data, isStale: isError }
}

/** While files are being refused, all of them are asked for again only so often. */
const REFUSALS_APART = 100

/** The refused files of an import, where it tells only of the first. */
export const refusalsQuery = (one: Import) => {
  const refused = isImportActive(one) ? Math.floor(one.refused / REFUSALS_APART) : one.refused
  return queryOptions({
    queryKey: ['refusals', one.import_id, isImportActive(one), refused] as const,
    queryFn: async ({ signal }) => (await gallery.imports.get(one.import_id, { signal })).refusals,
    staleTime: Number.POSITIVE_INFINITY,
    enabled: one.refused > one.refusals.length,
    placeholderData: (before) => before,
  })
}

/** Starts to bring in a folder. @throws {RefusedError | ConnectionError} Nothing was started. */
export async function startImport(request: ImportRequest): Promise<Import> {
  const started = await gallery.imports.start(request)
  startedHereAt = performance.now()
  show(started)
  return started
}

/** Starts one again that was cut off or canceled: what has come in is known, so it continues where it stopped. */
export function startAgain(one: Import): Promise<Import> {
  const { folder, boards, board_name, link, watch } = one
  return startImport({ folder, boards, link, watch, ...(board_name !== null && { board_name }) })
}

/**
 * Pauses, resumes or cancels; one that was cut off is forgotten by `cancel`.
 *
 * @throws {RefusedError | ConnectionError} It goes on as it did.
 */
export async function steerImport(
  importId: string,
  act: 'pause' | 'resume' | 'cancel',
): Promise<void> {
  show(await gallery.imports[act](importId))
}

/** Shows what the server has just said of one, and goes on looking. */
function show(one: Import): void {
  queryClient.setQueryData(importsQuery.queryKey, (all = []) =>
    all.some(({ import_id }) => import_id === one.import_id)
      ? all.map((other) => (other.import_id === one.import_id ? one : other))
      : [one, ...all],
  )
  void queryClient.invalidateQueries({ queryKey: importsQuery.queryKey })
}

/** The gap between two looks at what has come in, in milliseconds: from the first to the longest. */
const SHOW_MS = { first: 1_000, longest: 10_000 }

/** Images came in: what is in sight is asked for again, soon at first and then ever less often. */
export const refreshDuringImport = throttledWithBackoff(
  refreshInSight,
  SHOW_MS.first,
  SHOW_MS.longest,
)

/** No more come in for now: all of it is shown at once. */
export const refreshAfterImport = refreshInSight

/** The folders in a folder of the server's machine; undefined: in the home folder. */
export const foldersQuery = (path: string | undefined) =>
  queryOptions({
    queryKey: ['folders', path ?? null] as const,
    queryFn: ({ signal }): Promise<FolderListing> => gallery.imports.folders(path, { signal }),
    // Folders change, and nobody tells.
    staleTime: 5_000,
    gcTime: 60_000,
  })
