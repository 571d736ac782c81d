import { IMAGES_PER_RATIO_SUM, RATIO_UNIT, ratioOf } from '#contract/image-ratio.ts'
import type { ImageRatios } from '#contract/image-ratios.ts'
import {
  type ImageWindow,
  type ImageWindows,
  WINDOW_SIZE,
} from '#gallery/api/images/image-windows.ts'
import type { RatioSegment } from './justified-rows.ts'

/** Ratios of the images of windows; 0 for an image that is not loaded. */
type LoadedRatios = ReadonlyMap<number, Uint8Array>

/** A last segment with fewer images than this is joined to the one before it. */
const FEWEST_IMAGES = IMAGES_PER_RATIO_SUM / 2

/** The proportions of the images of a view, as far as they are known: the server's sums, and loaded images. */
export class RatioIndex {
  readonly #answer: ReadonlyMap<string, ImageRatios['groups'][number]>
  readonly #loaded: LoadedRatios
  /** Ratio of images of which nothing is known. */
  readonly #likely: number

  /** @param answer - The sums of the view; undefined until the server has answered. */
  constructor(answer: ImageRatios | undefined, loaded: LoadedRatios) {
    this.#answer = new Map(answer?.groups.map((group) => [group.day ?? '', group]))
    this.#loaded = loaded
    this.#likely = likelyRatio(loaded)
  }

  /**
   * Returns the segments of a group of a layout.
   *
   * @param key - A day, the key of the starred images, or empty.
   * @param from - Position of the group's first image.
   */
  segmentsOf(key: string, from: number, count: number): RatioSegment[] {
    if (count === 0) return []
    const length = Math.max(1, Math.floor((count + FEWEST_IMAGES) / IMAGES_PER_RATIO_SUM))
    return Array.from({ length }, (_, at) => {
      const first = at * IMAGES_PER_RATIO_SUM
      const end = at === length - 1 ? count : first + IMAGES_PER_RATIO_SUM
      const range = { from: from + first, count: end - first }
      return {
        count: range.count,
        sum: this.#loadedSum(range) ?? this.#answeredSum(key, first, end),
        ratios: () => this.#ratiosIn(range),
      }
    })
  }

  /** Returns the sum of images that are all loaded, which is current while a change is being sent; else null. */
  #loadedSum(range: { from: number; count: number }): number | null {
    if (!this.#loaded.has(Math.floor(range.from / WINDOW_SIZE))) return null
    const ratios = this.#ratiosIn(range)
    return ratios.includes(0) ? null : ratios.reduce((sum, ratio) => sum + ratio, 0)
  }

  /** Returns the server's sum, in proportion if the group has grown or shrunk since. */
  #answeredSum(key: string, first: number, end: number): number {
    const group = this.#answer.get(key)
    let [sum, counted] = [0, 0]
    const at = first / IMAGES_PER_RATIO_SUM
    const until = Math.ceil(end / IMAGES_PER_RATIO_SUM)
    for (const [offset, one] of (group?.sums.slice(at, until) ?? []).entries()) {
      sum += one
      const from = first + offset * IMAGES_PER_RATIO_SUM
      counted += Math.min(IMAGES_PER_RATIO_SUM, (group?.count ?? 0) - from)
    }
    const mean = counted > 0 ? sum / counted : this.#likely
    return counted === end - first ? sum : Math.round(mean * (end - first))
  }

  #ratiosIn({ from, count }: { from: number; count: number }): Uint8Array {
    const ratios = new Uint8Array(count)
    for (let at = from; at < from + count; ) {
      const window = Math.floor(at / WINDOW_SIZE)
      const start = at - window * WINDOW_SIZE
      const end = Math.min(WINDOW_SIZE, start + from + count - at)
      const part = this.#loaded.get(window)?.subarray(start, end)
      if (part !== undefined) ratios.set(part, at - from)
      at += end - start
    }
    return ratios
  }
}

const likelyRatio = (loaded: LoadedRatios): number => {
  let [sum, count] = [0, 0]
  for (const ratios of loaded.values())
    for (const ratio of ratios) {
      sum += ratio
      count += ratio === 0 ? 0 : 1
    }
  return count === 0 ? RATIO_UNIT : sum / count
}

/** The ratios of all windows that were loaded since the view changed last. */
export interface LearnedRatios {
  readonly loaded: LoadedRatios
  readonly windows: ImageWindows
  readonly total: number
}

/** Returns the ratios with those of the loaded windows; the same object if there are no new ones. */
export function learnRatios(
  before: LearnedRatios | null,
  windows: ImageWindows,
  total: number,
): LearnedRatios {
  const isSame = ([index, window]: readonly [number, ImageWindow]) =>
    before?.windows.get(index) === window
  const changed = [...windows].filter((entry) => !isSame(entry))
  if (before !== null && before.total === total && changed.length === 0) return before
  const fresh = changed.map(([index, { items }]) => [index, ratiosOf(items)] as const)
  const isOutdated =
    before?.total !== total ||
    fresh.some(([index, ratios]) => {
      const known = before.loaded.get(index)
      return known !== undefined && !areEqual(known, ratios)
    })
  if (!isOutdated) {
    const loaded = new Map([...before.loaded, ...fresh])
    return { loaded, windows: new Map([...before.windows, ...windows]), total }
  }
  const current = [...windows].map(([index, { items }]) => [index, ratiosOf(items)] as const)
  return { loaded: new Map(current), windows, total }
}

const ratiosOf = (items: ImageWindow['items']): Uint8Array =>
  Uint8Array.from(items, (record) => (record === undefined ? 0 : ratioOf(record)))

const areEqual = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.every((ratio, at) => ratio === b[at])
