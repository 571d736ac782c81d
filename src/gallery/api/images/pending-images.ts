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

/** Images that are on their way out of some views: the server still has them there. */
export class PendingRemoval {
  readonly names: ReadonlySet<string>
  readonly fromViews: (view: ImageView) => boolean
  /**
   * No answer could be shown before this is over: nobody knows yet which images leave, or they are on
   * their way back.
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

/** Images whose records are about to be others on the server too. */
export interface PendingChange {
  readonly names: ReadonlySet<string>
  readonly change: Partial<ImageRecord>
}

/** A view that images are leaving, and the windows of it that were asked for meanwhile. */
interface ViewRemovals {
  readonly view: ImageView
  readonly positions: RemovalPositions
  readonly asked: Set<number>
}

/** Asks the server for a part of a view. */
export type FetchPart = (part: {
  readonly offset: number
  readonly limit: number
}) => Promise<{ readonly items: readonly ImageRecord[]; readonly total: number }>

/** Questions for one window, where images that are leaving stand in between. */
const MAX_REQUESTS = 4

/** Records in one answer. Where more than that are leaving in a row, they are passed over. */
const MAX_RECORDS = 1000

/** What the server has not confirmed yet: its answers must not show it undone. */
const removals = new Set<PendingRemoval>()
const pendingChanges = new Set<PendingChange>()
/** For each window that is being asked for: the changes that the answer may not contain. */
const changesSinceAsked = new Set<Set<PendingChange>>()
const viewRemovals = new Map<string, ViewRemovals>()

/**
 * Records change.
 *
 * @returns What ends that. A confirmed change (`left`) still applies to the windows that were asked for
 *   before: the server may have read them earlier.
 */
export function startPendingChange(pending: PendingChange): (how: 'left' | 'stay') => void {
  pendingChanges.add(pending)
  for (const changes of changesSinceAsked) changes.add(pending)
  return (how) => {
    pendingChanges.delete(pending)
    if (how === 'stay') for (const changes of changesSinceAsked) changes.delete(pending)
  }
}

/** Images leave views; {@link removalPositionsOf} is told where they stood. */
export function startPendingRemoval(pending: PendingRemoval): void {
  removals.add(pending)
}

/**
 * Images have left, or stay after all.
 *
 * @returns The windows that were asked for meanwhile: the server can answer for itself now.
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

/** Where images that are leaving a view stand on the server. */
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

/** Resolves when an answer of a view can be shown. */
async function untilUnblocked(view: ImageView): Promise<void> {
  for (;;) {
    const held = [...removals].find((one) => one.blocksAnswers && one.fromViews(view))
    if (held === undefined) return
    await held.ended.promise
  }
}

/** The names of a view without those that are leaving it. */
export function withPendingNames(view: ImageView, names: readonly string[]): readonly string[] {
  const isLeaving = isRemovedFrom(view)
  return names.filter((name) => !isLeaving(name))
}

/**
 * A window as it is to be shown while changes are on their way to the server: without the images that
 * are leaving, and with those that follow in their places. Most often that is one question.
 *
 * @param ask - Asks the server, which knows nothing of those changes.
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

/** The same with records as the server has them. */
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
      // The server has done something meanwhile: what it said stood elsewhere then.
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
