import type { Board } from '#client/index.ts'
import type { ImageFilter } from '#contract/image-filter.ts'
import { isVideoName } from '#contract/videos/video-formats.ts'

/** The word for some images, some videos, or both. */
export type Noun = 'image' | 'video' | 'item'

/** Returns the word for so many items, of which so many are videos. */
export function nounOf(itemCount: number, videoCount: number): Noun {
  if (videoCount <= 0) return 'image'
  return videoCount >= itemCount ? 'video' : 'item'
}

/** The number of items in a place and of the videos among them. */
interface PlaceCounts {
  /** Undefined while it is unknown, and where only a part of the items is shown. */
  readonly itemCount: number | undefined
  readonly videoCount: number
}

/** Returns the word for the items of a view in a place. Without a filter by kind, the place decides. */
export function nounOfView(
  { kind = 'all' }: Pick<ImageFilter, 'kind'>,
  { itemCount = Number.POSITIVE_INFINITY, videoCount }: PlaceCounts,
): Noun {
  return kind === 'all' ? nounOf(itemCount, videoCount) : kind
}

/**
 * Returns the word for some items of a view. The names of loaded items tell their kinds, and the word of the view
 * decides for the others.
 */
export function nounOfSome(count: number, loadedNames: readonly string[], ofView: Noun): Noun {
  const loaded = nounOfNames(loadedNames)
  if (loadedNames.length >= count) return loaded
  return loadedNames.length === 0 || loaded === ofView ? ofView : 'item'
}

/** Returns the word for named items. */
export function nounOfNames(names: readonly string[]): Noun {
  const isVideo = names[0] !== undefined && isVideoName(names[0])
  const areAlike = names.every((name) => isVideoName(name) === isVideo)
  return areAlike ? (isVideo ? 'video' : 'image') : 'item'
}

type Counts = Pick<Board, 'image_count' | 'video_count'>

/** Returns the number of images and videos on a board. */
export const itemCountOf = ({ image_count, video_count }: Counts): number =>
  image_count + video_count

/** Returns the word for the images and videos on a board. */
export const nounOfBoard = (board: Counts): Noun => nounOf(itemCountOf(board), board.video_count)

/** Returns a board with so many more items, or fewer. The kinds are known again when the board is refetched. */
export function withMoreItems<T extends Counts>(board: T, more: number): T {
  const image_count = Math.max(0, board.image_count + more)
  const video_count = Math.max(0, Math.min(board.video_count, itemCountOf(board) + more))
  return { ...board, image_count, video_count }
}
