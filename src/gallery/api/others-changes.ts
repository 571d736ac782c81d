import { hashKey, notifyManager, type Query } from '@tanstack/react-query'
import type { LibraryChanges } from '#client/index.ts'
import type { PendingImages } from '#gallery/api/answer/pending-images.ts'
import { boardKeys } from '#gallery/api/boards/board-cache.ts'
import { isWindowKey } from '#gallery/api/images/cache-edits.ts'
import { type ImageCache, imageKeys } from '#gallery/api/images/image-cache.ts'
import {
  type ChangedRecords,
  differences,
  unsureViews,
  wrongViews,
} from '#gallery/api/images/image-differences.ts'
import {
  hasHoles,
  type ImageView,
  type ImageWindow,
  isTrash,
} from '#gallery/api/images/image-windows.ts'
import { refreshMetadata } from '#gallery/api/images/metadata-queries.ts'
import type { NewImages } from '#gallery/api/images/new-images.ts'
import { type ShownData, showChange } from '#gallery/api/images/show-change.ts'
import { starredCountKey } from '#gallery/api/images/starred-count.ts'
import type { ContestedImages } from '#gallery/api/outbox/contested-images.ts'
import { TAGS_KEY } from '#gallery/api/tags/tag-lists.ts'
import { trashKeys } from '#gallery/api/trash/trash-cache.ts'
import { type Clock, gathered } from './clock.ts'
import type { Refresh } from './refresh.ts'

/**
 * How often counts and lists are refetched while changes go on: the first and the longest gap in milliseconds, and the
 * number of refetches that can run at once after a pause.
 */
const REFETCHES = { gapMs: 3_000, maxGapMs: 10_000, burst: 4 }

/** The same after changes whose records are not known: until then the page shows the images as they were. */
const UNLISTED_REFETCHES = { gapMs: 1_000, maxGapMs: 10_000, burst: 2 }

/** The part of the changes of others that the page cannot show from their records. */
interface Rest {
  readonly names: ReadonlySet<string>
  /** True if more images have changed than are named, or if their records are not known. */
  readonly isUnlisted: boolean
  /** Changed boards, and boards with changed images. */
  readonly boardIds: ReadonlySet<string>
  /** Hashes of views whose images or total only the server knows. */
  readonly unknown: ReadonlySet<string>
  /** True if images were only added. */
  readonly isAddition: boolean
}

/** Returns true if images were added to boards, and nothing else has changed, not even these images since. */
function isAddition({ images, boards }: LibraryChanges, records: ChangedRecords): boolean {
  const { created, updated, destroyed } = images
  if (created.length === 0 || updated.length + destroyed.length > 0) return false
  const added = [...records.values()]
  if (added.some(({ starred, deleted_at }) => starred || deleted_at !== null)) return false
  const grown = new Set(added.map(({ board_id }) => board_id ?? 'none'))
  // A board that appears may come from the trash.
  return (
    boards.created.length + boards.destroyed.length === 0 &&
    boards.updated.every((boardId) => grown.has(boardId))
  )
}

const isOfBoards = ({ boardId }: ImageView, boardIds: ReadonlySet<string>): boolean =>
  boardId === null || boardIds.has(boardId)

interface OthersApi extends ShownData {
  readonly clock: Clock
  readonly imageCache: Pick<
    ImageCache,
    'change' | 'remove' | 'removeAll' | 'removePositions' | 'replace' | 'views'
  >
  readonly contested: Pick<ContestedImages, 'note'>
  readonly pending: Pick<PendingImages, 'withChanges'>
  readonly newImages: Pick<NewImages, 'insertOfOthers'>
  readonly refresh: Pick<Refresh, 'all' | 'askAgain'>
}

/** Shows what other tabs, people, devices and programs changed. */
export class OthersChanges {
  readonly #api: OthersApi
  readonly #askSoon: (rest: Rest) => void
  readonly #askUnlistedSoon: (rest: Rest) => void

  constructor(api: OthersApi) {
    this.#api = api
    const ask = (parts: Rest[]) => this.#ask(parts)
    this.#askSoon = gathered(api.clock, ask, REFETCHES)
    this.#askUnlistedSoon = gathered(api.clock, ask, UNLISTED_REFETCHES)
  }

  /**
   * Shows changes of others. Changes of cached images are shown from their records at once. Counts, lists and images at
   * unknown positions are refetched: at once after a pause, and now and then while changes go on.
   */
  show(changes: LibraryChanges): void {
    const { contested, imageCache, newImages, pending, queryClient, refresh } = this.#api
    const { images, boards, unlisted_boards, records } = changes
    const names = new Set([...images.created, ...images.updated, ...images.destroyed])
    const changedBoards = [...boards.created, ...boards.updated, ...boards.destroyed]
    const boardIds = new Set([...changedBoards, ...unlisted_boards])
    const isEverything = changes.is_everything_unlisted
    const isUnlisted = isEverything || records === undefined || unlisted_boards.length > 0
    if (contested.note(isUnlisted ? null : names) || isEverything) refresh.all()
    if (isEverything || names.size + boardIds.size === 0) return
    // Changes that the server has not confirmed yet win.
    const found = new Map(
      records?.map((record) => [record.image_name, pending.withChanges(record)]),
    )
    const touched = [...imageCache.views()].filter(
      ({ view }) => boardIds.size > 0 && isOfBoards(view, boardIds),
    )
    const unsure = unsureViews(touched, [...images.updated, ...images.destroyed])
    const reordered =
      records === undefined ? [] : this.#showImages(images, { records: found, boardIds })
    newImages.insertOfOthers(images.created.flatMap((name) => found.get(name) ?? []))
    void refreshMetadata(queryClient, new Set(images.updated))
    const askSoon = isUnlisted ? this.#askUnlistedSoon : this.#askSoon
    askSoon({
      names,
      isUnlisted,
      boardIds,
      unknown: new Set([
        ...unsure,
        ...reordered,
        ...this.#beingAsked(boardIds),
        ...wrongViews(imageCache.views(), found),
      ]),
      isAddition: !isUnlisted && isAddition(changes, found),
    })
  }

  /** Returns the hashes of views of boards whose windows are being fetched: the answer can be from before the changes. */
  #beingAsked(boardIds: ReadonlySet<string>): string[] {
    const fetching = { queryKey: imageKeys.all(), fetchStatus: 'fetching' } as const
    return this.#api.queryClient
      .getQueryCache()
      .findAll(fetching)
      .filter(({ queryKey }) => isWindowKey(queryKey))
      .map(({ queryKey }) => queryKey[1] as ImageView)
      .filter((view) => isOfBoards(view, boardIds))
      .map((view) => hashKey([view]))
  }

  /** Returns the hashes of views whose order has changed. */
  #showImages(
    images: LibraryChanges['images'],
    changed: Parameters<typeof differences>[2],
  ): string[] {
    const { imageCache } = this.#api
    const views = [...imageCache.views()]
    const changes = differences(views, images, changed)
    notifyManager.batch(() => {
      for (const change of changes) showChange(this.#api, change).settle()
      // An image that is deleted for good is usually in the trash.
      const gone = new Set(images.destroyed)
      if (gone.size > 0) imageCache.remove(gone, { fromViews: isTrash }).settle()
      imageCache.replace(changed.records)
    })
    const haveStarsChanged = changes.some(({ aspect }) => aspect === 'starred')
    return views.flatMap(({ view }) =>
      haveStarsChanged && view.starredFirst ? [hashKey([view])] : [],
    )
  }

  #ask(parts: readonly Rest[]): void {
    const { refresh } = this.#api
    const isUnlisted = parts.some((part) => part.isUnlisted)
    const names = new Set(parts.flatMap((part) => [...part.names]))
    const boardIds = new Set(parts.flatMap((part) => [...part.boardIds]))
    const unknown = new Set(parts.flatMap((part) => [...part.unknown]))
    const isAddition = parts.every((part) => part.isAddition)
    const mustAsk = (query: Query): boolean => {
      const { queryKey, state } = query
      const about = queryKey[1] as ImageView | 'record' | 'size'
      // The size of named images never changes.
      if (about === 'size') return false
      if (about === 'record') return isUnlisted || names.has(String(queryKey[2]))
      if (!isWindowKey(queryKey)) {
        return (
          isOfBoards(about, boardIds) &&
          !(isAddition && query.queryHash === hashKey(starredCountKey))
        )
      }
      const window = state.data as ImageWindow | undefined
      const hasHole = window !== undefined && hasHoles(window, Number(queryKey[3]))
      return hasHole || (isUnlisted ? isOfBoards(about, boardIds) : unknown.has(hashKey([about])))
    }
    // Windows that the page has updated itself are refetched when they become visible again.
    refresh.askAgain({
      queryKey: imageKeys.all(),
      refetchType: 'none',
      predicate: (query) =>
        isWindowKey(query.queryKey) && isOfBoards(query.queryKey[1] as ImageView, boardIds),
    })
    refresh.askAgain({ queryKey: imageKeys.all(), predicate: mustAsk })
    const isOnlyOf = (boardId: string) => boardIds.size === 1 && boardIds.has(boardId)
    const noBoard = boardKeys.uncategorizedCount()[1]
    refresh.askAgain({
      queryKey: boardKeys.all(),
      predicate: ({ queryKey: [, about] }) =>
        about === noBoard ? boardIds.has('none') : !isOnlyOf('none'),
    })
    if (!isAddition) {
      refresh.askAgain({ queryKey: trashKeys.all() })
      refresh.askAgain({ queryKey: TAGS_KEY })
    }
  }
}
