import { hashKey } from '@tanstack/react-query'
import type { ImageRecord } from '#contract/image.ts'
import {
  type ImageView,
  type ImageWindow,
  lengthOfWindow,
  WINDOW_SIZE,
  withChanged,
} from './image-windows.ts'
import { RemovalPositions } from './removal-positions.ts'

/** A pending removal: the page hides images in some views, and the server still has them there. */
export class PendingRemoval {
  readonly names: ReadonlySet<string>
  readonly fromViews: (view: ImageView) => boolean
  /**
   * True if no answer of these views can be shown until this ends: the names of the images are not known yet, or the
   * server is restoring the images.
   */
  readonly blocksAnswers: boolean
  readonly ended = Promise.withResolvers<void>()

  constructor(
    names: ReadonlySet<string>,
    fromViews: (view: ImageView) => boolean,
    { holdsAnswers = false } = {},
  ) {
    this.names = names
    this.fromViews = fromViews
    this.blocksAnswers = holdsAnswers
  }
}

/** A pending change of image records. */
export interface PendingChange {
  readonly names: ReadonlySet<string>
  readonly change: Partial<ImageRecord>
}

/** The pending removals of one view, and its windows that were requested meanwhile. */
interface ViewRemovals {
  readonly view: ImageView
  readonly positions: RemovalPositions
  readonly asked: Set<number>
}

/** Requests a part of a view from the server. */
export type FetchPart = (part: {
  readonly offset: number
  readonly limit: number
}) => Promise<{ readonly items: readonly ImageRecord[]; readonly total: number }>

/** The maximum number of requests per window. Pending removals inside the window can require several. */
const MAX_REQUESTS = 4

/** Records per answer. A longer run of pending removals is skipped by the next request. */
const MAX_RECORDS = 1000

/** Unconfirmed changes. They are applied to all answers, so that an answer does not revert an optimistic update. */
const removals = new Set<PendingRemoval>()
const pendingChanges = new Set<PendingChange>()
/** For each active window request: the changes that its answer may not contain. */
const changesSinceAsked = new Set<Set<PendingChange>>()
const viewRemovals = new Map<string, ViewRemovals>()

/**
 * Starts a pending change of records.
 *
 * @returns A function that ends it. A confirmed change (`left`) still applies to requests that are already active,
 *   because the server may have read their data before the change. `stay` means that the change is rolled back.
 */
export function startPendingChange(pending: PendingChange): (how: 'left' | 'stay') => void {
  pendingChanges.add(pending)
  for (const changes of changesSinceAsked) changes.add(pending)
  return (how) => {
    pendingChanges.delete(pending)
    if (how === 'stay') for (const changes of changesSinceAsked) changes.delete(pending)
  }
}

/** Starts a pending removal. The caller adds the positions of the images to {@link removalPositionsOf}. */
export function startPendingRemoval(pending: PendingRemoval): void {
  removals.add(pending)
}

/**
 * Ends a pending removal: `left` if the server has confirmed it, `stay` if it is rolled back.
 *
 * @returns The windows that were requested meanwhile. They should be refetched.
 */
export function endPendingRemoval(
  pending: PendingRemoval,
  how: 'left' | 'stay',
): { view: ImageView; index: number }[] {
  removals.delete(pending)
  pending.ended.resolve()
  const asked: { view: ImageView; index: number }[] = []
  for (const left of viewRemovals.values()) {
    if (!pending.fromViews(left.view)) continue
    const names = hasRemovals(left.view)
      ? without(pending.names, isRemovedFrom(left.view))
      : pending.names
    if (how === 'left') left.positions.confirm(names)
    else left.positions.forget(names)
    for (const index of left.asked) asked.push({ view: left.view, index })
    left.asked.clear()
  }
  return asked
}

const without = (names: ReadonlySet<string>, isStaying: (name: string) => boolean) =>
  new Set([...names].filter((name) => !isStaying(name)))

/** Returns the server positions of the pending removals of a view. */
export const removalPositionsOf = (view: ImageView): RemovalPositions =>
  viewRemovalsOf(view).positions

function viewRemovalsOf(view: ImageView): ViewRemovals {
  const key = hashKey([view])
  const known = viewRemovals.get(key)
  if (known) return known
  const left = { view, positions: new RemovalPositions(), asked: new Set<number>() }
  viewRemovals.set(key, left)
  return left
}

const hasRemovals = (view: ImageView): boolean =>
  [...removals].some(({ fromViews }) => fromViews(view))

function isRemovedFrom(view: ImageView): (name: string) => boolean {
  const sets = [...removals].flatMap(({ names, fromViews }) => (fromViews(view) ? [names] : []))
  return (name) => sets.some((names) => names.has(name))
}

/** Resolves when answers of a view can be shown. */
async function untilUnblocked(view: ImageView): Promise<void> {
  for (;;) {
    const held = [...removals].find((one) => one.blocksAnswers && one.fromViews(view))
    if (held === undefined) return
    await held.ended.promise
  }
}

/** Removes the names with a pending removal from the names of a view. */
export function withPendingNames(view: ImageView, names: readonly string[]): readonly string[] {
  const isLeaving = isRemovedFrom(view)
  return names.filter((name) => !isLeaving(name))
}

/**
 * Fetches a window and applies the pending changes to it. Later images take the places of removed ones. Usually this
 * needs one request.
 *
 * @param ask - Requests a part of the view from the server, without pending changes.
 */
export async function fetchWindow(
  view: ImageView,
  index: number,
  ask: FetchPart,
): Promise<ImageWindow> {
  const changes = new Set(pendingChanges)
  changesSinceAsked.add(changes)
  try {
    const window = await fetchUnchanged(view, index, ask)
    return [...changes].reduce(
      (last, { names, change }) => withChanged(last, names, change),
      window,
    )
  } finally {
    changesSinceAsked.delete(changes)
  }
}

/** Fetches a window without its pending removals, with the records of the server. */
async function fetchUnchanged(
  view: ImageView,
  index: number,
  ask: FetchPart,
): Promise<ImageWindow> {
  const shown = Array.from({ length: WINDOW_SIZE }, (_, at) => index * WINDOW_SIZE + at)
  const { positions, asked } = viewRemovalsOf(view)
  const known = new Map<number, ImageRecord>()
  let total = Number.POSITIVE_INFINITY
  await untilUnblocked(view)
  for (let questions = 0; questions < MAX_REQUESTS; questions += 1) {
    const missing = positions.onServer(shown).filter((at) => at < total && !known.has(at))
    const offset = missing[0]
    if (offset === undefined) break
    if (hasRemovals(view)) asked.add(index)
    const { version } = positions
    const limit = Math.min(MAX_RECORDS, (missing.at(-1) ?? offset) - offset + 1)
    const { items, ...answer } = await ask({ offset, limit })
    await untilUnblocked(view)
    if (hasRemovals(view)) asked.add(index)
    total = answer.total
    if (positions.version === version) {
      positions.learn({ offset, names: items.map(nameOf) }, isRemovedFrom(view))
      for (const [at, record] of items.entries()) known.set(offset + at, record)
    } else {
      // The server applied a removal meanwhile, so positions in earlier answers are outdated.
      known.clear()
    }
  }
  return shownWindow(view, index, { shown, known, total })
}

const nameOf = ({ image_name }: ImageRecord): string => image_name

function shownWindow(
  view: ImageView,
  index: number,
  { shown, known, total }: { shown: number[]; known: Map<number, ImageRecord>; total: number },
): ImageWindow {
  const { positions } = viewRemovalsOf(view)
  const shownTotal = Math.max(0, total - positions.size)
  const items = positions
    .onServer(shown)
    .slice(0, lengthOfWindow(index, shownTotal))
    .map((at) => known.get(at))
  return { items, total: shownTotal }
}
