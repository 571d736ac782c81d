import { createContext, useContext } from 'react'
import { UNCATEGORIZED_BOARD_ID } from '#contract/board.ts'
import type { ImageRecord } from '#contract/image.ts'
import type { GalleryApi } from '#gallery/api/gallery-api.ts'
import type { GridHandle } from '#gallery/images/grid/grid-handle.ts'
import type { GridNow } from '#gallery/images/grid/grid-now.ts'
import { currentTargets, targetRecords } from '#gallery/images/selection/selected-images.ts'
import { isSelected } from '#gallery/images/selection/selection.ts'
import { currentSelection } from '#gallery/images/selection/selection-store.ts'
import type { DragPayload } from '#gallery/ui/drag/drag.ts'
import { fileNameOf } from '#gallery/ui/text/names.ts'

/** Number of thumbnails in the drag preview. */
const PREVIEWS = 3

/** Returns the payload of a drag from a tile: the selection if it contains the image, else only the image. */
export const tileDragPayload =
  (api: GalleryApi, grid: GridHandle): TileDrag =>
  (record, position) =>
    isSelected(currentSelection(), record.image_name, position)
      ? selectionPayload(api, grid.now, record)
      : imagePayload(api, record)

function imagePayload({ client, outbox }: GalleryApi, record: ImageRecord): DragPayload {
  return {
    kind: 'images',
    count: 1,
    moveTo: (boardId) => void outbox.move([record.image_name], boardId),
    star: () => void outbox.star([record.image_name], true),
    rate: (rating) => void outbox.rate([record.image_name], rating),
    raise: (rating) => void outbox.raise([record.image_name], rating),
    tag: (name) => void outbox.tag([record.image_name], name, true),
    fromBoardId: boardOf(record),
    previewUrls: [client.images.thumbnailUrl(record)],
    file: {
      url: client.images.downloadUrl(record.image_name),
      name: fileNameOf(record),
      mediaType: record.media_type ?? 'image/png',
    },
  }
}

function selectionPayload(api: GalleryApi, now: GridNow, grabbed: ImageRecord): DragPayload | null {
  const targets = currentTargets(api, now)
  if (targets === null) return null
  if (targets.count === 1) return imagePayload(api, grabbed)
  const known = targetRecords(now)
  const others = known.filter(({ image_name }) => image_name !== grabbed.image_name)
  return {
    kind: 'images',
    count: targets.count,
    moveTo: targets.moveTo,
    star: () => void api.outbox.star(targets.images, true),
    rate: (rating) => void api.outbox.rate(targets.images, rating),
    raise: (rating) => void api.outbox.raise(targets.images, rating),
    tag: (name) => void api.outbox.tag(targets.images, name, true),
    fromBoardId: commonBoard(now, known, targets.count),
    previewUrls: [grabbed, ...others]
      .slice(0, PREVIEWS)
      .map((record) => api.client.images.thumbnailUrl(record)),
  }
}

const boardOf = ({ board_id }: ImageRecord): string => board_id ?? UNCATEGORIZED_BOARD_ID

/** Returns the board that contains all the records; undefined if that is not certain. */
function commonBoard(now: GridNow, known: readonly ImageRecord[], count: number) {
  if (now.view.boardId !== null) return now.view.boardId
  const boards = new Set(known.map(boardOf))
  return known.length === count && boards.size === 1 ? [...boards][0] : undefined
}

/** Returns the payload of a drag that starts on a tile; `null` if it may not be dragged. */
type TileDrag = (record: ImageRecord, position: number) => DragPayload | null

export interface TileParts {
  readonly drag: TileDrag
  readonly hasStar: boolean
  /** True if a finger is the main pointer. */
  readonly hasTouch: boolean
  /** Returns lines of text shown over the image. */
  readonly captionOf?: ((record: ImageRecord) => readonly string[]) | undefined
}

/** Provided by the grid, because the drag depends on the selection. */
export const TilePartsContext = createContext<TileParts>({
  drag: () => null,
  hasStar: false,
  hasTouch: false,
})

export const useTileParts = (): TileParts => useContext(TilePartsContext)
