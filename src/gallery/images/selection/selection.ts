import type { ImageRecord } from '#contract/image.ts'

/** Positions from `from` to `to`, inclusive. */
export interface Range {
  readonly from: number
  readonly to: number
}

/**
 * The selection in one view: a rule by position (all, or ranges), images added to it and images removed from it. Names
 * are resolved only when an action runs, so that selecting 50,000 images costs as little as selecting one.
 */
export interface Selection {
  /** Ascending, and not overlapping or adjacent. `to` is Infinity for a range without end. */
  readonly ranges: readonly Range[]
  /** Names of selected images outside the ranges, with their positions at selection time. */
  readonly added: ReadonlyMap<string, number>
  /** Names of images inside the ranges that are not selected. */
  readonly removed: ReadonlyMap<string, number>
}

export const NOTHING: Selection = { ranges: [], added: new Map(), removed: new Map() }

/** All images of the view, including future ones. */
export const EVERYTHING: Selection = { ...NOTHING, ranges: [{ from: 0, to: Infinity }] }

const isInRanges = (ranges: readonly Range[], position: number) =>
  ranges.some(({ from, to }) => position >= from && position <= to)

export const isSelected = (selection: Selection, imageName: string, position: number): boolean =>
  selection.added.has(imageName) ||
  (isInRanges(selection.ranges, position) && !selection.removed.has(imageName))

/** Selects a position whose image is not loaded. */
export const onlyPosition = (position: number): Selection => ({
  ...NOTHING,
  ranges: [{ from: position, to: position }],
})

export const only = (imageName: string, position: number): Selection => ({
  ...NOTHING,
  added: new Map([[imageName, position]]),
})

/** Adds one image to a selection, or removes it. */
export function toggled(selection: Selection, imageName: string, position: number): Selection {
  const added = new Map(selection.added)
  const removed = new Map(selection.removed)
  if (isInRanges(selection.ranges, position)) {
    added.delete(imageName)
    if (!removed.delete(imageName)) removed.set(imageName, position)
  } else if (!added.delete(imageName)) added.set(imageName, position)
  return { ranges: selection.ranges, added, removed }
}

/** Adds ranges: loaded images by name, which stays valid when images are inserted above, others by position. */
export function withRanges(
  selection: Selection,
  chosen: readonly Range[],
  recordAt: (position: number) => ImageRecord | undefined,
): Selection {
  const added = new Map(selection.added)
  const removed = new Map(selection.removed)
  const ranges = [...selection.ranges]
  for (const range of chosen) {
    const records = recordsIn(range, recordAt)
    if (records) {
      for (const [record, position] of records) {
        if (isInRanges(selection.ranges, position)) removed.delete(record.image_name)
        else added.set(record.image_name, position)
      }
    } else {
      ranges.push(range)
      for (const [name, position] of removed) {
        if (isInRanges([range], position)) removed.delete(name)
      }
    }
  }
  for (const [name, position] of added) {
    if (isInRanges(ranges, position)) added.delete(name)
  }
  return { ranges: merged(ranges), added, removed }
}

/** Maximum number of images stored by name at once: three screens of small tiles. */
const MAX_NAMED = 1000

function recordsIn({ from, to }: Range, recordAt: (position: number) => ImageRecord | undefined) {
  if (to - from >= MAX_NAMED) return null
  const records: [ImageRecord, number][] = []
  for (let position = from; position <= to; position += 1) {
    const record = recordAt(position)
    if (!record) return null
    records.push([record, position])
  }
  return records
}

function merged(ranges: readonly Range[]): Range[] {
  const result: Range[] = []
  for (const range of ranges.toSorted((a, b) => a.from - b.from)) {
    const last = result.at(-1)
    if (last && range.from <= last.to + 1) {
      result[result.length - 1] = { from: last.from, to: Math.max(last.to, range.to) }
    } else result.push(range)
  }
  return result
}

/** Selects exactly the images that were not selected. */
export function inverted(selection: Selection): Selection {
  const ranges: Range[] = []
  let next = 0
  for (const { from, to } of selection.ranges) {
    if (from > next) ranges.push({ from: next, to: from - 1 })
    next = to + 1
  }
  if (next < Infinity) ranges.push({ from: next, to: Infinity })
  return { ranges, added: selection.removed, removed: selection.added }
}

/** Returns the number of selected images in a view of `total`. */
export function countSelected(selection: Selection, total: number): number {
  const inRanges = selection.ranges.reduce(
    (sum, { from, to }) => sum + Math.max(0, Math.min(to, total - 1) - from + 1),
    0,
  )
  return Math.max(0, inRanges - selection.removed.size) + selection.added.size
}

/** Returns the positions of the selected images in a view of `total`, ascending. */
export function selectedPositions(selection: Selection, total: number): number[] {
  const { ranges, added, removed } = selection
  const isLeftOut = new Set(removed.values())
  const positions = [...added.values()].filter((position) => position < total)
  for (const { from, to } of ranges) {
    const last = Math.min(to, total - 1)
    for (let position = from; position <= last; position += 1) {
      if (!isLeftOut.has(position)) positions.push(position)
    }
  }
  return positions.sort((a, b) => a - b)
}

export const isNothing = ({ ranges, added }: Selection): boolean =>
  ranges.length === 0 && added.size === 0

/** Returns true if an action on the selection needs names that may not be loaded. */
export const needsNames = ({ ranges }: Selection): boolean => ranges.length > 0

/** Returns the names of the selected images. `names` are all names of the view in its order. */
export function resolved(selection: Selection, names: readonly string[]): string[] {
  const inRanges = selection.ranges.flatMap(({ from, to }) =>
    names.slice(from, to === Infinity ? undefined : to + 1),
  )
  const { added, removed } = selection
  const chosen = removed.size === 0 ? inRanges : inRanges.filter((name) => !removed.has(name))
  if (added.size === 0) return chosen
  const isIn = new Set(chosen)
  return [...chosen, ...[...added.keys()].filter((name) => !isIn.has(name))]
}

/** Shifts all positions, for example after images were inserted above. */
export function shifted(selection: Selection, by: number): Selection {
  if (by === 0 || isNothing(selection)) return selection
  const moved = (positions: ReadonlyMap<string, number>) =>
    new Map([...positions].map(([name, position]) => [name, Math.max(0, position + by)]))
  const ranges = selection.ranges
    .map(({ from, to }) => ({
      // "Select all" includes new images at the front; a range from the first image does not.
      from: from === 0 && to === Infinity ? 0 : Math.max(0, from + by),
      to: to + by,
    }))
    .filter(({ from, to }) => to >= from)
  return { ranges, added: moved(selection.added), removed: moved(selection.removed) }
}

/** Removes images that are gone from a selection. */
export function without(selection: Selection, names: ReadonlySet<string>): Selection {
  const staying = (positions: ReadonlyMap<string, number>) =>
    new Map([...positions].filter(([name]) => !names.has(name)))
  return {
    ranges: selection.ranges,
    added: staying(selection.added),
    removed: staying(selection.removed),
  }
}
