import type { ComponentType } from 'react'
import type { ImageRecord } from '#contract/image.ts'
import type { Generation } from '#gallery/api/queue/generations-of.ts'
import type { TileFit } from '#gallery/images/grid/grid-preferences.ts'

export interface CellPlace {
  readonly column: number
  /** Distance from the left edge of the grid, in pixels. */
  readonly leftPx: number
  readonly tilePx: number
  /** True for the one generation cell in the tab order. */
  readonly isEntry: boolean
}

/** The running and failed generations of a view, and the components that render them. */
export interface ViewGenerations {
  /** In queue order; failed generations come last. */
  readonly generations: readonly Generation[]
  /** Number of further queue items without known details. */
  readonly unknownCount: number
  readonly Tile: ComponentType<CellPlace & { generation: Generation; fit: TileFit }>
  /** Renders the cell that counts the generations without a tile. */
  readonly More: ComponentType<CellPlace & { count: number }>
}

/** A generation, or the number of generations without a cell. */
export type GenerationCell =
  | { readonly generation: Generation }
  | { readonly generation?: never; readonly moreCount: number }

/**
 * Returns the newest image of a generation that its view shows; undefined if there is none. InvokeAI saves the record
 * of an image before the event that names it, so an image that was listed earlier is recognized by its session.
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

const MOST_TILES = 12

/** Number of failures that stay visible however long the queue is. */
const FAILED_TILES = 2

/** Returns the maximum number of generation tiles: two rows of them, or one if they are in separate rows. */
export const roomFor = (columns: number, isShelf: boolean): number =>
  Math.max(1, Math.min(MOST_TILES, (isShelf ? 1 : 2) * columns - 1))

/**
 * Returns the cells for generations, the next to complete first. In a long queue, the items that already have tiles
 * keep them until none of them is pending; then the next items get tiles. So each tile turns into its image in place.
 *
 * @param room - Maximum number of tiles, not counting the one for the rest.
 * @param shown - IDs of the items that had tiles before.
 */
export function generationCellsOf(
  { generations, unknownCount }: Pick<ViewGenerations, 'generations' | 'unknownCount'>,
  room: number,
  shown: ReadonlySet<number>,
): GenerationCell[] {
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
