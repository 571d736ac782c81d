import type { ImageRecord } from '#contract/image.ts'
import {
  type ImageWindow,
  type ImageWindows,
  recordAt,
  WINDOW_SIZE,
} from '#gallery/api/images/image-windows.ts'

/**
 * Returns true if all windows show the same state of the view. Windows with different totals are from different
 * moments: an image that moved between them would be shown twice or not at all.
 */
export function doAgree(windows: ImageWindows): boolean {
  return new Set([...windows.values()].map(({ total }) => total)).size <= 1
}

export interface CachedWindow {
  readonly index: number
  readonly window: ImageWindow
  /** Time of the last answer. A change by the user keeps it. */
  readonly answeredAt: number
  readonly isFetching: boolean
}

export interface ShownWindows {
  readonly windows: ImageWindows
  /** The cached windows from which `windows` was built. */
  readonly sources: ImageWindows
  readonly answeredAt: ReadonlyMap<number, number>
  /** Number of images in the view; undefined until the first window is loaded. */
  readonly total: number | undefined
  /** The differing totals of the cached windows and the view, joined; empty if they agree. */
  readonly dispute: string
}

export const NO_WINDOWS: ShownWindows = {
  windows: new Map(),
  sources: new Map(),
  answeredAt: new Map(),
  total: undefined,
  dispute: '',
}

/**
 * Returns the windows to show: the cached windows if they agree, else those shown before. While some are fetched, a
 * window with a new answer waits for the others. Returns `before` if nothing has changed.
 */
export function agreeOnWindows(
  before: ShownWindows,
  cached: readonly CachedWindow[],
  {
    unsettled = '',
    newestTotal,
  }: {
    /** A dispute that remained after all windows were fetched again. Its windows are shown as they are. */
    unsettled?: string
    /** Returns the total of the newest answer for any window of the view, also for one that is not shown. */
    newestTotal: () => number | undefined
  },
): ShownWindows {
  const isAnyFetching = cached.some(({ isFetching }) => isFetching)
  const there = new Map(cached.map(({ index, window }) => [index, window]))
  const together = new Map(
    cached.map(({ index, window, answeredAt }) => {
      // A change by the user keeps the time of the last answer, so it is shown at once.
      const waitsForOthers = isAnyFetching && before.answeredAt.get(index) !== answeredAt
      return [index, (waitsForOthers && before.sources.get(index)) || window]
    }),
  )
  const held = new Map([...before.sources].filter(([index]) => there.has(index)))
  const agreeing = [together, there].find(doAgree)
  const disputed = agreeing ? '' : [...there.values()].map(({ total }) => total).join()
  const sources = agreeing ?? (held.size === 0 || unsettled === disputed ? there : held)

  const latestAnswer = new Map(cached.map(({ index, answeredAt }) => [index, answeredAt]))
  const answeredAt = new Map(
    [...sources].map(([index, source]) => {
      const isLast = source === there.get(index)
      return [index, (isLast ? latestAnswer : before.answeredAt).get(index) ?? 0]
    }),
  )
  const total = totalToShow(before, { sources, answeredAt }, newestTotal)
  const filled = agreeing ? fillHoles(sources, before.windows) : sources
  const windows = new Map(
    [...filled].map(([index, window]) => {
      const isSame = sources.get(index) === before.sources.get(index)
      return [index, (isSame && before.windows.get(index)) || window]
    }),
  )
  const own = agreeing?.values().next().value?.total
  const dispute = own === undefined || own === total ? disputed : [total, own].join()
  const isSame =
    total === before.total &&
    dispute === before.dispute &&
    areEqual(windows, before.windows) &&
    areEqual(sources, before.sources) &&
    areEqual(answeredAt, before.answeredAt)
  return isSame ? before : { windows, sources, answeredAt, total, dispute }
}

/**
 * Returns the total of the windows with the latest answer if one of them is changed or new, and else the same total.
 * Other windows than before have the newest total of the view.
 *
 * The total determines which windows are on the screen. If it always were the total of these windows, two screens with
 * different totals would replace each other without an end.
 */
function totalToShow(
  before: ShownWindows,
  { sources, answeredAt }: Pick<ShownWindows, 'sources' | 'answeredAt'>,
  newestTotal: () => number | undefined,
): number | undefined {
  if (![...sources.keys()].some((index) => before.sources.has(index)))
    return newestTotal() ?? before.total
  const isSame = isPartOf(sources, before.sources) && isPartOf(answeredAt, before.answeredAt)
  if (isSame) return before.total
  const [latest = -1] = [...answeredAt].toSorted(([, a], [, b]) => a - b).at(-1) ?? []
  return sources.get(latest)?.total
}

const areEqual = <Value>(a: ReadonlyMap<number, Value>, b: ReadonlyMap<number, Value>): boolean =>
  a.size === b.size && isPartOf(a, b)

const isPartOf = <Value>(a: ReadonlyMap<number, Value>, b: ReadonlyMap<number, Value>): boolean =>
  [...a].every(([index, value]) => b.get(index) === value)

/**
 * Fills holes in the windows with the records that were shown before. After images are inserted above, a record that
 * moved to the next window may be missing from all other answers.
 */
export function fillHoles(windows: ImageWindows, shown: ImageWindows): ImageWindows {
  const by = totalOf(windows) - totalOf(shown)
  const isWhole = [...windows.values()].every(({ items }) => !items.includes(undefined))
  if (!(by >= 0) || isWhole) return windows
  const names = new Set([...recordsOf(windows)].map(({ image_name }) => image_name))
  if (!hasMoved(windows, shown, by)) return windows
  const fill = (record: ImageRecord | undefined, position: number) => {
    if (record !== undefined) return record
    const before = recordAt(shown, position - by)
    return before && !names.has(before.image_name) ? before : undefined
  }
  const filled = ([index, window]: [number, ImageWindow]): [number, ImageWindow] => {
    const items = window.items.map((record, at) => fill(record, index * WINDOW_SIZE + at))
    return [
      index,
      items.every((record, at) => record === window.items[at]) ? window : { ...window, items },
    ]
  }
  return new Map([...windows].map(filled))
}

/** Number of images in the view according to windows that agree; `NaN` if there are no windows. */
const totalOf = (windows: ImageWindows): number =>
  windows.values().next().value?.total ?? Number.NaN

function* recordsOf(windows: ImageWindows): Generator<ImageRecord> {
  for (const { items } of windows.values()) for (const record of items) if (record) yield record
}

/** Returns true if the records known from both sets of windows moved down by `by` positions. */
function hasMoved(windows: ImageWindows, shown: ImageWindows, by: number): boolean {
  for (const [index, { items }] of windows) {
    for (const [at, record] of items.entries()) {
      const before = recordAt(shown, index * WINDOW_SIZE + at - by)
      if (record && before) return record.image_name === before.image_name
    }
  }
  return false
}
