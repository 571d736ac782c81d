import { hashKey, notifyManager, type QueryClient, type QueryKey } from '@tanstack/react-query'
import type { ImageRecord } from '#contract/image.ts'
import type { FacetKey } from '#contract/search/facets.ts'
import type { InsightKey } from '#contract/search/insights.ts'
import type { PendingImages, PendingRemoval } from '#gallery/api/answer/pending-images.ts'
import { Edits, isWindowKey, type RestorableRollback } from './cache-edits.ts'
import {
  type ImageView,
  type ImageWindow,
  type ImageWindows,
  positionsIn,
  type RecordChange,
  recordAt,
  withChanged,
  withoutPositions,
} from './image-windows.ts'

/** The cached windows of one view. */
export interface CachedView {
  readonly view: ImageView
  readonly windows: Map<number, ImageWindow>
}

/** The query keys of images, from general to specific. */
export const imageKeys = {
  all: () => ['images'] as const,
  view: (view: ImageView) => ['images', view] as const,
  windows: (view: ImageView) => ['images', view, 'window'] as const,
  window: (view: ImageView, index: number) => ['images', view, 'window', index] as const,
  position: (view: ImageView, imageName: string) =>
    ['images', view, 'position', imageName] as const,
  names: (view: ImageView) => ['images', view, 'names'] as const,
  size: (view: ImageView) => ['images', view, 'size'] as const,
  sizeOf: (key: number | readonly string[]) => ['images', 'size', key] as const,
  record: (imageName: string) => ['images', 'record', imageName] as const,
}

/** The query keys of counted properties. Not below those of images, because they are refetched less often. */
export const facetCacheKeys = {
  all: () => ['facets'] as const,
  of: (view: ImageView, options: FacetOptions) => ['facets', view, options] as const,
}

/** The query keys of insights. The server reads all images and their prompts for them. */
export const insightCacheKeys = {
  all: () => ['insights'] as const,
  of: (view: ImageView, options: InsightOptions) => ['insights', view, options] as const,
}

export interface InsightOptions {
  readonly keys: readonly InsightKey[]
  /** Number of values of each list. */
  readonly limit: number
}

export interface FacetOptions {
  readonly keys: readonly FacetKey[]
  /** Number of values of each property. */
  readonly limit: number
  /** Only values that contain this text; `''` for all. */
  readonly text: string
  /** False: conditions on a property limit its own values too. Default: true. */
  readonly alternatives?: boolean
}

/**
 * Returns a filter for the windows of exactly this view. The library's match by key is partial: the key of a view without
 * filters would match the windows of the same view with filters.
 */
export function windowsFilter(view: ImageView) {
  const prefix = `${hashKey(imageKeys.windows(view)).slice(0, -1)},`
  return { predicate: ({ queryHash }: { queryHash: string }) => queryHash.startsWith(prefix) }
}

/** Returns the cached windows of a view by index. */
export function cachedWindows(client: QueryClient, view: ImageView): Map<number, ImageWindow> {
  const windows = new Map<number, ImageWindow>()
  const entries = client.getQueriesData<ImageWindow>(windowsFilter(view))
  for (const [key, window] of entries) if (window) windows.set(Number(key[3]), window)
  return windows
}

/** Returns the number of images in a view by the newest answer for any of its windows; undefined before the first. */
export function newestTotal(client: QueryClient, view: ImageView): number | undefined {
  const windows = client.getQueryCache().findAll(windowsFilter(view))
  const known = windows.filter(({ state }) => state.data !== undefined)
  const newest = known.toSorted((a, b) => a.state.dataUpdatedAt - b.state.dataUpdatedAt).at(-1)
  return (newest?.state.data as ImageWindow | undefined)?.total
}

export class ImageCache {
  readonly #queryClient: QueryClient
  readonly #pending: PendingImages

  constructor(queryClient: QueryClient, pending: PendingImages) {
    this.#queryClient = queryClient
    this.#pending = pending
  }

  /** Optimistically changes records in all cached windows. */
  change(imageNames: Iterable<string>, change: RecordChange): RestorableRollback {
    const names = setOf(imageNames)
    const end = this.#pending.startChange({ names, change })
    const edits = new Edits(this.#queryClient)
    notifyManager.batch(() => {
      for (const [key, window] of this.#windows()) {
        edits.set(key, withChanged(window, names, change))
      }
    })
    return edits.rollback((how) => {
      end(how)
      return []
    })
  }

  /** Replaces provisional records by real ones, but keeps what the user may have changed: star, rating, tags and board. */
  complete(records: readonly ImageRecord[]): void {
    const whole = new Map(records.map((record) => [record.image_name, record]))
    const edits = new Edits(this.#queryClient)
    for (const [key, window] of this.#windows()) {
      if (!window.items.some((record) => record && whole.has(record.image_name))) continue
      const items = window.items.map(
        (record) =>
          record && { ...record, ...whole.get(record.image_name), ...changeableOf(record) },
      )
      edits.set(key, { ...window, items })
    }
  }

  /** Replaces cached records of images. Equal records stay the same objects. */
  replace(records: ReadonlyMap<string, ImageRecord>): void {
    const edits = new Edits(this.#queryClient)
    for (const [key, window] of this.#windows()) {
      if (!window.items.some((record) => record && records.has(record.image_name))) continue
      const items = window.items.map((record) => record && (records.get(nameOf(record)) ?? record))
      edits.set(key, { ...window, items })
    }
  }

  /** Optimistically removes images from views. Unknown records that move into a visible window are fetched at once. */
  remove(
    imageNames: Iterable<string>,
    { fromViews }: { fromViews: (view: ImageView) => boolean },
  ): RestorableRollback {
    const names = setOf(imageNames)
    const { edits, rollback } = this.#removal(
      { names, fromViews, blocksAnswers: false },
      (to, of) => this.#removeFromView(to, of, names),
    )
    const restore = () => (edits.restore() ? this.#blockAnswers(fromViews) : null)
    return Object.assign(rollback, { restore })
  }

  /**
   * Blocks the answers of views in which images are shown again, until the server has restored the images. Earlier
   * answers do not contain them.
   */
  #blockAnswers(fromViews: (view: ImageView) => boolean): () => void {
    const removal = { names: NO_NAMES, fromViews, blocksAnswers: true }
    return this.#removal(removal, (edits, { view, windows }) => {
      const total = totalOf(windows)
      // Windows that were loaded without the images have other images in their places.
      for (const [index, window] of windows) {
        if (window.total !== total) edits.set(imageKeys.window(view, index), { items: [], total })
      }
    }).rollback.settle
  }

  /**
   * Optimistically removes images of which only the positions in one view are known yet. Unknown records that move into
   * a window are fetched after the pending removal has ended.
   *
   * @param positions - Positions in ascending order.
   */
  removePositions(view: ImageView, positions: readonly number[]): RestorableRollback {
    const viewHash = hashKey([view])
    const fromViews = (one: ImageView) => hashKey([one]) === viewHash
    const removal = { names: NO_NAMES, fromViews, blocksAnswers: true }
    return this.#removal(removal, (edits, { windows }) => {
      for (const [index, window] of withoutPositions(windows, positions)) {
        edits.set(imageKeys.window(view, index), window)
      }
    }).rollback
  }

  /** Optimistically removes all images of views. Answers of the views are blocked until the removal has ended. */
  removeAll(fromViews: (view: ImageView) => boolean): RestorableRollback {
    const removal = { names: NO_NAMES, fromViews, blocksAnswers: true }
    return this.#removal(removal, (edits, { view, windows }) => {
      for (const index of windows.keys()) {
        edits.set(imageKeys.window(view, index), { items: [], total: 0 })
      }
    }).rollback
  }

  recordsAt(view: ImageView, positions: readonly number[]): ImageRecord[] {
    const windows = cachedWindows(this.#queryClient, view)
    return positions.flatMap((position) => recordAt(windows, position) ?? [])
  }

  /** Starts a pending removal, and edits the cached windows of its views. */
  #removal(pending: PendingRemoval, edit: (edits: Edits, cached: CachedView) => void) {
    this.#pending.startRemoval(pending)
    const edits = new Edits(this.#queryClient)
    // In one batch. Otherwise a tile that moves to another window is rendered twice in between.
    notifyManager.batch(() => {
      for (const cached of this.views()) if (pending.fromViews(cached.view)) edit(edits, cached)
    })
    edits.fillHoles()
    const rollback = edits.rollback((end) =>
      this.#pending
        .endRemoval(pending, end)
        .map(({ view, index }) => imageKeys.window(view, index)),
    )
    return { edits, rollback }
  }

  #removeFromView(edits: Edits, { view, windows }: CachedView, gone: ReadonlySet<string>) {
    const names = this.#freshNames(view)
    const positions = names
      ? Array.from(names.keys()).filter((position) => gone.has(names[position] ?? ''))
      : positionsIn(windows, gone)
    if (positions.length === 0) return
    const nameAt = (position: number) =>
      names?.[position] ?? recordAt(windows, position)?.image_name
    this.#pending.positionsOf(view).add(
      positions.map((position) => nameAt(position) ?? ''),
      positions,
    )
    for (const [index, window] of withoutPositions(windows, positions)) {
      edits.set(imageKeys.window(view, index), window)
    }
    if (names) {
      const staying = names.filter((name) => !gone.has(name))
      edits.set(imageKeys.names(view), staying)
    }
  }

  #windows(): [QueryKey, ImageWindow][] {
    return this.#queryClient
      .getQueriesData<ImageWindow>({ queryKey: imageKeys.all() })
      .flatMap(([key, window]) => (isWindowKey(key) && window ? [[key, window]] : []))
  }

  views(): Iterable<CachedView> {
    const views = new Map<string, CachedView>()
    for (const [key, window] of this.#windows()) {
      const view = key[1] as ImageView
      const id = hashKey([view])
      const entry: CachedView = views.get(id) ?? { view, windows: new Map() }
      entry.windows.set(Number(key[3]), window)
      views.set(id, entry)
    }
    return views.values()
  }

  /** Returns all names of a view if they are cached and not invalidated. */
  #freshNames(view: ImageView): readonly string[] | undefined {
    const state = this.#queryClient.getQueryState<readonly string[]>(imageKeys.names(view))
    return state?.isInvalidated ? undefined : state?.data
  }
}

const NO_NAMES: ReadonlySet<string> = new Set()

const totalOf = (windows: ImageWindows): number =>
  Math.max(0, ...[...windows.values()].map(({ total }) => total))

const nameOf = ({ image_name }: ImageRecord): string => image_name

const changeableOf = ({ starred, rating, tags, board_id }: ImageRecord) => ({
  ...{ starred, rating, tags, board_id },
})

/** Returns the names as a set, without copying a set of tens of thousands of names. */
const setOf = (names: Iterable<string>): ReadonlySet<string> =>
  names instanceof Set ? names : new Set(names)
