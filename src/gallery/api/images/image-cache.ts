import { hashKey, notifyManager, type QueryClient, type QueryKey } from '@tanstack/react-query'
import type { ImageRecord } from '#contract/image.ts'
import { Edits, isWindowKey, type RestorableRollback } from './cache-edits.ts'
import {
  type ImageView,
  type ImageWindow,
  positionsIn,
  recordAt,
  WINDOW_SIZE,
  withChanged,
  withoutPositions,
} from './image-windows.ts'
import {
  endPendingRemoval,
  PendingRemoval,
  removalPositionsOf,
  startPendingChange,
  startPendingRemoval,
} from './pending-images.ts'

/** The one place that spells the keys of images, from general to particular. */
export const imageKeys = {
  all: () => ['images'] as const,
  view: (view: ImageView) => ['images', view] as const,
  windows: (view: ImageView) => ['images', view, 'window'] as const,
  window: (view: ImageView, index: number) => ['images', view, 'window', index] as const,
  position: (view: ImageView, imageName: string) =>
    ['images', view, 'position', imageName] as const,
  names: (view: ImageView) => ['images', view, 'names'] as const,
  size: (view: ImageView) => ['images', view, 'size'] as const,
  record: (imageName: string) => ['images', 'record', imageName] as const,
}

/** Changes records in every window that holds them, at once. */
export function changeImages(
  client: QueryClient,
  imageNames: Iterable<string>,
  change: Partial<ImageRecord>,
): RestorableRollback {
  const names = setOf(imageNames)
  const end = startPendingChange({ names, change })
  const edits = new Edits(client)
  notifyManager.batch(() => {
    for (const [key, window] of cachedWindows(client)) {
      edits.set(key, withChanged(window, names, change))
    }
  })
  return edits.rollback((how) => {
    end(how)
    return []
  })
}

/** Puts records in the place of what was shown of them, but for what a person may have changed meanwhile. */
export function completeImages(client: QueryClient, records: readonly ImageRecord[]): void {
  const whole = new Map(records.map((record) => [record.image_name, record]))
  const edits = new Edits(client)
  for (const [key, window] of cachedWindows(client)) {
    if (!window.items.some((record) => record && whole.has(record.image_name))) continue
    const items = window.items.map(
      (record) => record && { ...record, ...whole.get(record.image_name), ...changeableOf(record) },
    )
    edits.set(key, { ...window, items })
  }
}

const changeableOf = ({ starred, board_id }: ImageRecord) => ({ starred, board_id })

/**
 * Takes images out of the views that they leave, at once: later ones move up across windows and totals
 * shrink. What moves in behind them and is not known is asked for at once.
 */
export function removeImages(
  client: QueryClient,
  imageNames: Iterable<string>,
  { fromViews }: { fromViews: (view: ImageView) => boolean },
): RestorableRollback {
  const pending = new PendingRemoval(setOf(imageNames), fromViews)
  startPendingRemoval(pending)
  const edits = new Edits(client)
  // In one batch, or a tile that moves over the edge of a window would be drawn twice in between.
  notifyManager.batch(() => {
    for (const { view, windows } of cachedViews(client)) {
      if (fromViews(view)) removeFromView(client, edits, view, windows, pending.names)
    }
  })
  edits.fillHoles()
  const restore = () => (edits.restore() ? blockAnswers(client, fromViews) : null)
  return Object.assign(edits.rollback(ending(pending)), { restore })
}

/**
 * Images that are shown in some views again are on their way back there: until they have come no answer
 * tells of them, so that none is shown.
 */
function blockAnswers(client: QueryClient, toViews: (view: ImageView) => boolean): () => void {
  const pending = new PendingRemoval(new Set(), toViews, { holdsAnswers: true })
  startPendingRemoval(pending)
  const edits = new Edits(client)
  for (const { view, windows } of cachedViews(client)) {
    if (!toViews(view)) continue
    const total = Math.max(...[...windows.values()].map((window) => window.total))
    // Windows that came while the images were away have others in their places.
    for (const [index, window] of windows) {
      if (window.total !== total) edits.set(imageKeys.window(view, index), { items: [], total })
    }
  }
  edits.fillHoles()
  return edits.rollback(ending(pending)).settle
}

/**
 * The same for images of one view of which only the positions are known yet. What moves in behind them is
 * asked for when this is over.
 *
 * @param positions - Ascending.
 */
export function removePositions(
  client: QueryClient,
  view: ImageView,
  positions: readonly number[],
): RestorableRollback {
  const viewHash = hashKey([view])
  const pending = new PendingRemoval(new Set(), (one) => hashKey([one]) === viewHash, {
    holdsAnswers: true,
  })
  startPendingRemoval(pending)
  const edits = new Edits(client)
  notifyManager.batch(() => {
    for (const cached of cachedViews(client)) {
      if (!pending.fromViews(cached.view)) continue
      for (const [index, window] of withoutPositions(cached.windows, positions)) {
        edits.set(imageKeys.window(view, index), window)
      }
    }
  })
  edits.fillHoles()
  return edits.rollback(ending(pending))
}

/** The same for all images of a view, and for those that come while the server has not answered. */
export function removeEvery(client: QueryClient, view: ImageView): RestorableRollback {
  const viewHash = hashKey([view])
  const cached = [...cachedViews(client)].find((one) => hashKey([one.view]) === viewHash)
  const total = Math.max(0, ...[...(cached?.windows.values() ?? [])].map((window) => window.total))
  return removePositions(
    client,
    view,
    Array.from({ length: total }, (_, position) => position),
  )
}

const ending =
  (pending: PendingRemoval) =>
  (how: 'left' | 'stay'): QueryKey[] =>
    endPendingRemoval(pending, how).map(({ view, index }) => imageKeys.window(view, index))

/** Images of one view at some positions, as far as they are loaded. */
export function recordsAt(
  client: QueryClient,
  view: ImageView,
  positions: readonly number[],
): ImageRecord[] {
  const isMeant = new Set(positions)
  return client
    .getQueriesData<ImageWindow>({ queryKey: imageKeys.windows(view) })
    .flatMap(([key, window]) =>
      (window?.items ?? []).flatMap((record, offset) =>
        record && isMeant.has(Number(key[3]) * WINDOW_SIZE + offset) ? [record] : [],
      ),
    )
}

/** Of tens of thousands of names one set is enough. */
const setOf = (names: Iterable<string>): ReadonlySet<string> =>
  names instanceof Set ? names : new Set(names)

function removeFromView(
  client: QueryClient,
  edits: Edits,
  view: ImageView,
  windows: ReadonlyMap<number, ImageWindow>,
  gone: ReadonlySet<string>,
) {
  const names = freshNames(client, view)
  const positions = names
    ? Array.from(names.keys()).filter((position) => gone.has(names[position] ?? ''))
    : positionsIn(windows, gone)
  if (positions.length === 0) return
  const nameAt = (position: number) => names?.[position] ?? recordAt(windows, position)?.image_name
  removalPositionsOf(view).add(
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

function cachedWindows(client: QueryClient): [QueryKey, ImageWindow][] {
  return client
    .getQueriesData<ImageWindow>({ queryKey: imageKeys.all() })
    .flatMap(([key, window]) => (isWindowKey(key) && window ? [[key, window]] : []))
}

/** Every view of which windows are there, with these. */
export function cachedViews(client: QueryClient) {
  const views = new Map<string, { view: ImageView; windows: Map<number, ImageWindow> }>()
  for (const [key, window] of cachedWindows(client)) {
    const view = key[1] as ImageView
    const id = hashKey([view])
    const entry = views.get(id) ?? { view, windows: new Map() }
    entry.windows.set(Number(key[3]), window)
    views.set(id, entry)
  }
  return views.values()
}

/** Every name of a view, where that was fetched and nothing has happened since. */
function freshNames(client: QueryClient, view: ImageView): readonly string[] | undefined {
  const state = client.getQueryState<readonly string[]>(imageKeys.names(view))
  return state?.isInvalidated ? undefined : state?.data
}
