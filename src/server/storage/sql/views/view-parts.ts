import { isVideoKind } from '#server/storage/sql/codes.ts'
import { joinIds } from '#server/storage/sql/id-set.ts'
import type { Flag } from '#server/storage/sql/tables.ts'
import type { OpenedView } from './opened-view.ts'
import { BEFORE_DURATIONS, type Order, type OrderKey } from './order.ts'
import { acrossSegments } from './segments.ts'
import type { Count, Selection } from './selection.ts'

/** The videos or the images of a view, which one index returns in their order. */
export interface ViewPart {
  selection: Selection
  order: Order
  counts: readonly Count[]
}

/**
 * Opens a view in the order of duration in parts: videos are in the index of durations, and images, which have none, in
 * that of the time when they were added. With starred images first, each part has a starred and an unstarred half.
 */
export const openByDuration = async (
  selection: Selection,
  order: Order,
  counts: readonly Count[],
  open: (part: ViewPart) => Promise<OpenedView>,
): Promise<OpenedView> => {
  const stars: readonly (Flag | null)[] = order.starredFirst ? [1, 0] : [null]
  const parts: OpenedPart[] = []
  for (const star of stars) {
    for (const isVideo of order.dir === 'DESC' ? [true, false] : [false, true]) {
      const own = counts.filter(
        (count) => isVideoKind(count.kind) === isVideo && (star === null || count.starred === star),
      )
      if (own.length === 0) continue
      const view = await open({
        selection: {
          ...selection,
          kinds: selection.kinds.filter((kind) => isVideoKind(kind) === isVideo),
          starred: star ?? selection.starred,
        },
        order: { ...order, by: isVideo ? 'duration' : 'created_at' },
        counts: own,
      })
      parts.push({ view, rank: rankOf({ isVideo, star }, order) })
    }
  }
  return joinedView(order, parts)
}

/** Parts are in the order of their ranks. */
interface OpenedPart {
  view: OpenedView
  rank: number
}

const rankOf = ({ isVideo, star }: { isVideo: boolean; star: Flag | null }, { dir }: Order) =>
  (star === 0 ? 2 : 0) + (isVideo === (dir === 'DESC') ? 0 : 1)

/** Returns the rank and the key of an image or video in its part of a view by duration. */
const partKeyOf = (key: OrderKey, order: Order): { rank: number; key: OrderKey } => {
  const value = Number(key.value)
  const isVideo = value >= 0
  return {
    rank: rankOf({ isVideo, star: order.starredFirst ? key.starred : null }, order),
    key: isVideo ? key : { ...key, value: value + BEFORE_DURATIONS },
  }
}

const joinedView = (order: Order, parts: readonly OpenedPart[]): OpenedView => {
  const views = parts.map(({ view }) => view)
  const sumOf = (count: (view: OpenedView) => number | null) =>
    views.reduce<number | null>((sum, view) => {
      const more = count(view)
      return sum === null || more === null ? null : sum + more
    }, 0)

  return {
    total: sumOf(({ total }) => total) ?? 0,
    totalBytes: sumOf(({ totalBytes }) => totalBytes),
    videoCount: sumOf(({ videoCount }) => videoCount),
    countStarred: async () => {
      let sum = 0
      for (const view of views) sum += await view.countStarred()
      return sum
    },
    ids: async () => {
      const all: Uint32Array[] = []
      for (const view of views) all.push(await view.ids())
      return joinIds(all)
    },
    slice: (offset, limit) =>
      acrossSegments(views, { offset, limit }, (view, from, size) => view.slice(from, size)),
    names: async function* (offset, limit) {
      const windows = await acrossSegments(views, { offset, limit }, async (view, from, size) => [
        { view, from, size },
      ])
      for (const { view, from, size } of windows) yield* view.names(from, size)
    },
    idsAfter: async (viewKey, limit) => {
      const { rank, key } = partKeyOf(viewKey, order)
      let ids: number[] = []
      for (const { rank: own, view } of parts) {
        const left = limit < 0 ? limit : limit - ids.length
        if (own < rank || left === 0) continue
        ids = ids.concat(await (own === rank ? view.idsAfter(key, left) : view.slice(0, left)))
      }
      return ids
    },
    positionOf: async (viewKey) => {
      const { rank, key } = partKeyOf(viewKey, order)
      let before = 0
      for (const part of parts) {
        if (part.rank === rank) {
          const position = await part.view.positionOf(key)
          return position === null ? null : before + position
        }
        before += part.view.total
      }
      return null
    },
    countDays: () => Promise.reject(new Error('A view by duration has no days')),
  }
}
