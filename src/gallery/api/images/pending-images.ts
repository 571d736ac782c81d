import { hashKey } from '@tanstack/react-query'
import type { ImageRecord } from '#contract/image.ts'
import {
  type ImageView,
  type ImageWindow,
  lengthOfWindow,
  WINDOW_SIZE,
  withChanged,
} from './image-windows.ts'
import { LeavingPositions } from './leaving-positions.ts'

/** Images that are on their way out of some views: the server still has them there. */
export class Leaving {
  readonly names: ReadonlySet<string>
  readonly fromViews: (view: ImageView) => boolean
  /**
   * No answer could be shown before this is over: nobody knows yet which images leave, or they are on
   * their way back.
   */
  readonly holdsAnswers: boolean
  readonly ended = Promise.withResolvers<void>()

  constructor(
    names: ReadonlySet<string>,
    fromViews: (view: ImageView) => boolean,
    { holdsAnswers = false } = {},
  ) {
    this.names = names
    this.fromViews = fromViews
    this.holdsAnswers = holdsAnswers
  }
}

/** Images whose records are about to be others on the server too. */
export interface Changing {
  readonly names: ReadonlySet<string>
  readonly change: Partial<ImageRecord>
}

/** A view that images are leaving, and the windows of it that were asked for meanwhile. */
interface LeftView {
  readonly view: ImageView
  readonly positions: LeavingPositions
  readonly asked: Set<number>
}

/** Asks the server for a part of a view. */
export type AskPart = (part: {
  readonly offset: number
  readonly limit: number
}) => Promise<{ readonly items: readonly ImageRecord[]; readonly total: number }>

/** Questions for one window, where images that are leaving stand in between. */
const MAX_QUESTIONS = 4

/** Records in one answer. Where more than that are leaving in a row, they are passed over. */
const MAX_RECORDS = 1000

/** What the server has not confirmed yet: its answers must not show it undone. */
const leaving = new Set<Leaving>()
const changing = new Set<Changing>()
/** For each window that is being asked for: the changes that the answer may not contain. */
const changesSinceAsked = new Set<Set<Changing>>()
const leftViews = new Map<string, LeftView>()

/**
 * Records change.
 *
 * @returns What ends that. A confirmed change (`left`) still applies to the windows that were asked for
 *   before: the server may have read them earlier.
 */
export function startChanging(pending: Changing): (how: 'left' | 'stay') => void {
  changing.add(pending)
  for (const changes of changesSinceAsked) changes.add(pending)
  return (how) => {
    changing.delete(pending)
    if (how === 'stay') for (const changes of changesSinceAsked) changes.delete(pending)
  }
}

/** Images leave views; {@link positionsLeaving} is told where they stood. */
export function startLeaving(pending: Leaving): void {
  leaving.add(pending)
}

/**
 * Images have left, or stay after all.
 *
 * @returns The windows that were asked for meanwhile: the server can answer for itself now.
 */
export function endLeaving(
  pending: Leaving,
  how: 'left' | 'stay',
): { view: ImageView; index: number }[] {
  leaving.delete(pending)
  pending.ended.resolve()
  const asked: { view: ImageView; index: number }[] = []
  for (const left of leftViews.values()) {
    if (!pending.fromViews(left.view)) continue
    const names = isAnyLeaving(left.view)
      ? without(pending.names, isLeavingFrom(left.view))
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
export const positionsLeaving = (view: ImageView): LeavingPositions => leftView(view).positions

function leftView(view: ImageView): LeftView {
  const key = hashKey([view])
  const known = leftViews.get(key)
  if (known) return known
  const left = { view, positions: new LeavingPositions(), asked: new Set<number>() }
  leftViews.set(key, left)
  return left
}

const isAnyLeaving = (view: ImageView): boolean =>
  [...leaving].some(({ fromViews }) => fromViews(view))

function isLeavingFrom(view: ImageView): (name: string) => boolean {
  const sets = [...leaving].flatMap(({ names, fromViews }) => (fromViews(view) ? [names] : []))
  return (name) => sets.some((names) => names.has(name))
}

/** Resolves when an answer of a view can be shown. */
async function untilTold(view: ImageView): Promise<void> {
  for (;;) {
    const held = [...leaving].find((one) => one.holdsAnswers && one.fromViews(view))
    if (held === undefined) return
    await held.ended.promise
  }
}

/** The names of a view without those that are leaving it. */
export function withPendingNames(view: ImageView, names: readonly string[]): readonly string[] {
  const isLeaving = isLeavingFrom(view)
  return names.filter((name) => !isLeaving(name))
}

/**
 * A window as it is to be shown while changes are on their way to the server: without the images that
 * are leaving, and with those that follow in their places. Most often that is one question.
 *
 * @param ask - Asks the server, which knows nothing of those changes.
 */
export async function askWindow(
  view: ImageView,
  index: number,
  ask: AskPart,
): Promise<ImageWindow> {
  const changes = new Set(changing)
  changesSinceAsked.add(changes)
  try {
    const window = await askUnchanged(view, index, ask)
    return [...changes].reduce(
      (last, { names, change }) => withChanged(last, names, change),
      window,
    )
  } finally {
    changesSinceAsked.delete(changes)
  }
}

/** The same with records as the server has them. */
async function askUnchanged(view: ImageView, index: number, ask: AskPart): Promise<ImageWindow> {
  const shown = Array.from({ length: WINDOW_SIZE }, (_, at) => index * WINDOW_SIZE + at)
  const { positions, asked } = leftView(view)
  const known = new Map<number, ImageRecord>()
  let total = Number.POSITIVE_INFINITY
  await untilTold(view)
  for (let questions = 0; questions < MAX_QUESTIONS; questions += 1) {
    const missing = positions.onServer(shown).filter((at) => at < total && !known.has(at))
    const offset = missing[0]
    if (offset === undefined) break
    if (isAnyLeaving(view)) asked.add(index)
    const { version } = positions
    const limit = Math.min(MAX_RECORDS, (missing.at(-1) ?? offset) - offset + 1)
    const { items, ...answer } = await ask({ offset, limit })
    await untilTold(view)
    if (isAnyLeaving(view)) asked.add(index)
    total = answer.total
    if (positions.version === version) {
      positions.learn({ offset, names: items.map(nameOf) }, isLeavingFrom(view))
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
  const { positions } = leftView(view)
  const shownTotal = Math.max(0, total - positions.size)
  const items = positions
    .onServer(shown)
    .slice(0, lengthOfWindow(index, shownTotal))
    .map((at) => known.get(at))
  return { items, total: shownTotal }
}
