import type { Query, QueryClient } from '@tanstack/react-query'
import type { ImageRecord } from '#contract/image.ts'
import { imageKeys } from './image-cache.ts'
import { type ImageView, type ImageWindow, isTrash } from './image-windows.ts'

export function knownImages(
  queryClient: QueryClient,
  imageNames: readonly string[],
  isWanted?: (view: ImageView, query: Query) => boolean,
): Map<string, ImageRecord> {
  const wanted = new Set(imageNames)
  const known = new Map<string, ImageRecord>()
  for (const record of knownRecords(queryClient, isWanted)) {
    if (wanted.has(record.image_name)) known.set(record.image_name, record)
  }
  return known
}

function* knownRecords(
  queryClient: QueryClient,
  isWanted: (view: ImageView, query: Query) => boolean = () => true,
): Generator<ImageRecord> {
  for (const query of queryClient.getQueryCache().findAll({ queryKey: imageKeys.all() })) {
    const { queryKey: key, state } = query
    if (key[2] !== 'window' || !isWanted(key[1] as ImageView, query)) continue
    const window = state.data as ImageWindow | undefined
    for (const record of window?.items ?? []) if (record) yield record
  }
}

/** Returns the boards of the images in views that are visible or up to date. */
export const currentBoards = (queryClient: QueryClient): Map<string, string> =>
  boardsOf(currentImages(queryClient))

/** Returns the ratings of the images in views that are visible or up to date. */
export const currentRatings = (queryClient: QueryClient): Map<string, number> =>
  new Map([...currentImages(queryClient)].map(([name, { rating }]) => [name, rating]))

function currentImages(queryClient: QueryClient): Map<string, ImageRecord> {
  const isCurrent = (_view: ImageView, query: Query) =>
    query.isActive() || !query.state.isInvalidated
  const records = [...knownRecords(queryClient, isCurrent)]
  return new Map(records.map((record) => [record.image_name, record]))
}

const boardsOf = (images: ReadonlyMap<string, ImageRecord>): Map<string, string> =>
  new Map([...images].map(([name, { board_id }]) => [name, board_id ?? 'none']))

/** Counts the named images that are known to be starred, or unstarred. */
export const countKnownStars = (
  queryClient: QueryClient,
  imageNames: readonly string[],
  starred = true,
): number =>
  [...knownImages(queryClient, imageNames).values()].filter((image) => image.starred === starred)
    .length

/** Returns the names of the cached images on a board, without those in the trash. */
export function knownNamesOn(queryClient: QueryClient, boardId: string): string[] {
  const names = new Set<string>()
  for (const record of knownRecords(queryClient, (view) => !isTrash(view))) {
    if (record.board_id === boardId) names.add(record.image_name)
  }
  return [...names]
}

/** Returns the known boards of named images, from cached records and from the cached name lists of boards. */
export function knownBoards(
  queryClient: QueryClient,
  imageNames: readonly string[],
): Map<string, string> {
  const boards = boardsOf(knownImages(queryClient, imageNames))
  if (boards.size === imageNames.length) return boards
  const wanted = new Set(imageNames)
  for (const [key, names] of queryClient.getQueriesData<readonly string[]>({
    queryKey: imageKeys.all(),
  })) {
    const boardId = key[2] === 'names' ? (key[1] as ImageView).boardId : null
    if (boardId === null) continue
    for (const name of names ?? []) {
      if (wanted.has(name) && !boards.has(name)) boards.set(name, boardId)
    }
  }
  return boards
}
