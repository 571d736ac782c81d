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
