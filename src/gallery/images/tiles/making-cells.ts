import type { ComponentType } from 'react'
import type { ImageRecord } from '#contract/image.ts'
import type { Generation } from '#gallery/api/queue/generations.ts'
import type { TileFit } from '#gallery/images/grid/grid-preferences.ts'

/** Where a cell of the grid is. */
export interface CellPlace {
  readonly column: number
  /** From the left edge of the grid, in pixels. */
  readonly leftPx: number
  readonly tilePx: number
  /** Where the Tab key leads among those that are being made. */
  readonly isEntry: boolean
}

/** What is being made for a view, and how it is drawn. */
export interface BeingMade {
  /** In the order in which they run; those that failed come last. */
  readonly generations: readonly Generation[]
  /** How many more there are of which nothing else is known. */
  readonly unknownCount: number
  readonly Tile: ComponentType<CellPlace & { generation: Generation; fit: TileFit }>
  /** Stands for those that have no tile. */
  readonly More: ComponentType<CellPlace & { count: number }>
}

/** What stands in a cell: one that is being made, or how many more there are. */
export type MakingCell =
  | { readonly generation: Generation }
  | { readonly generation?: never; readonly moreCount: number }

/**
 * The newest image of a generation that is in its view; undefined for none. InvokeAI saves the record of an image
 * before the event that names it, so an image that a list brought earlier is known by its session.
 */
export const shownImageOf = (
  { imageNames, sessionId }: Pick<Generation, 'imageNames' | 'sessionId'>,
  front: readonly (Pick<ImageRecord, 'image_name' | 'session_id'> | null | undefined)[],
): string | undefined => {
  const own = front.find(
    (record) =>
      sessionId !== null &&
      record?.session_id === sessionId &&
      !imageNames.includes(record.image_name),
  )
  const last = imageNames.at(-1)
  const isShown = front.some((record) => record?.image_name === last)
  return own?.image_name ?? (isShown ? last : undefined)
}

/** So many at most have tiles of their own. */
const MOST_TILES = 12

/** However many wait, the latest failures can be seen. */
const FAILED_TILES = 2

/** How many tiles stand before the images at most: two rows of them, or one where these do not belong together. */
export const roomFor = (columns: number, isShelf: boolean): number =>
  Math.max(1, Math.min(MOST_TILES, (isShelf ? 1 : 2) * columns - 1))

/**
 * The cells of what is being made, what lands next first. In a long queue those that had a tile keep it
 * until none of them waits, and then the next ones come: so each becomes its picture where it stands.
 *
 * @param room - Tiles at most, beside the one that counts the rest.
 * @param shown - The items that had tiles before.
 */
export function makingCellsOf(
  { generations, unknownCount }: Pick<BeingMade, 'generations' | 'unknownCount'>,
  room: number,
  shown: ReadonlySet<number>,
): MakingCell[] {
  const failed = generations.filter(({ status }) => status === 'failed')
  const live = generations.filter(({ status }) => status !== 'failed')
  const failedRoom = Math.max(Math.min(FAILED_TILES, room - 1), room - live.length)
  const shownFailed = failed.slice(0, failedRoom)
  const liveRoom = room - shownFailed.length
  const staying = live.filter(({ itemId }) => shown.has(itemId))
  const mayStay =
    staying[0] === live[0] &&
    staying.length <= liveRoom &&
    staying.some(({ status }) => status === 'pending')
  const isLong = live.length + unknownCount > liveRoom
  const shownLive = isLong && mayStay ? staying : live.slice(0, liveRoom)
  const moreCount = generations.length + unknownCount - shownLive.length - shownFailed.length
  return [
    ...shownLive.map((generation) => ({ generation })),
    ...(moreCount > 0 ? [{ moreCount }] : []),
    ...shownFailed.map((generation) => ({ generation })),
  ]
}
