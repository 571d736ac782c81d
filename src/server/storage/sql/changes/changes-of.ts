import type { Board, DeleteBoardResult } from '#contract/board.ts'
import type { ImageRecord, RatedImagesResult, TaggedImagesResult } from '#contract/image.ts'
import type { ResolveResult, UnresolveResult } from '#contract/likeness/duplicates.ts'
import type { RestoreResult, TrashResult } from '#contract/trash-operations.ts'
import type { VideoRecord } from '#contract/videos/video.ts'
import type { LibraryChange } from '#server/core/changes/change-ports.ts'
import type { NewImage } from '#server/core/images/image-ports.ts'
import type { ImportOutcome } from '#server/core/imports/import-records.ts'
import type { RereadImage } from '#server/core/record-ports.ts'

/** The board ID of images without a board, as in affected boards. */
const NO_BOARD = 'none'

const NOTHING: LibraryChange = {}
const EVERYTHING: LibraryChange = { unlisted: 'all' }

const boardOf = ({ board_id }: { board_id?: string | null }): string => board_id ?? NO_BOARD

export const boardAdded = ({ board_id }: Board): LibraryChange => ({
  boards: { created: [board_id] },
})

export const boardNamed = (boardId: string): LibraryChange => ({ boards: { updated: [boardId] } })

export const coverSet = (_result: unknown, boardId: string): LibraryChange => boardNamed(boardId)

export const boardUpdated = (board: Board | null | 'cover_image_not_found'): LibraryChange =>
  typeof board === 'object' && board !== null ? { boards: { updated: [board.board_id] } } : NOTHING

export const boardRemoved = (result: DeleteBoardResult | null): LibraryChange =>
  result === null
    ? NOTHING
    : {
        images: { updated: result.deleted_board_images, destroyed: result.deleted_images },
        boards: { updated: [NO_BOARD], destroyed: [result.board_id] },
      }

type AddOutcome = { image: ImageRecord; isRepeat: boolean } | 'board_not_found'

export const imagesAddedEach = (outcomes: readonly AddOutcome[]): LibraryChange => {
  const added = outcomes.flatMap((outcome) =>
    typeof outcome === 'object' && !outcome.isRepeat ? outcome.image : [],
  )
  return imagesAdded(added)
}

export const imagesAdded = (
  images: readonly { image_name: string; board_id?: string | null }[],
): LibraryChange =>
  images.length === 0
    ? NOTHING
    : {
        images: { created: images.map(({ image_name }) => image_name) },
        boards: { updated: [...new Set(images.map(boardOf))] },
      }

export const manyAdded = (
  result: number | 'board_not_found',
  images: readonly NewImage[],
): LibraryChange => (result === 'board_not_found' ? NOTHING : imagesAdded(images))

export const importedAdded = (
  outcomes: readonly ImportOutcome[],
  files: readonly { image: NewImage | null }[],
): LibraryChange =>
  imagesAdded(files.flatMap(({ image }, at) => (outcomes[at] === 'added' && image ? image : [])))

export const copiesAdded = (
  result: readonly string[] | 'board_not_found',
  _copies: unknown,
  boardId: string,
): LibraryChange =>
  result === 'board_not_found'
    ? NOTHING
    : imagesAdded(result.map((image_name) => ({ image_name, board_id: boardId })))

export const imagesUpdated = (result: {
  affected_boards: readonly string[]
  image_names: readonly string[]
}): LibraryChange => changed(result.image_names, result.affected_boards)

export const imagesRated = (result: RatedImagesResult): LibraryChange =>
  changed(result.rated_images, result.affected_boards)

export const imagesTagged = (result: TaggedImagesResult | string): LibraryChange => {
  if (typeof result === 'string') return NOTHING
  const { added, removed, affected_boards } = result
  const names = [...added, ...removed].flatMap(({ image_names }) => image_names)
  return changed([...new Set(names)], affected_boards)
}

/** Any number of images can have a tag. */
export const tagsChanged = (result: object | number | string | null): LibraryChange =>
  result === null || typeof result === 'string' ? NOTHING : EVERYTHING

export const imagesMoved = (
  result: {
    affected_boards: readonly string[]
    added_images?: readonly string[]
    removed_images?: readonly string[]
  } | null,
): LibraryChange =>
  result === null
    ? NOTHING
    : changed(result.added_images ?? result.removed_images ?? [], result.affected_boards)

export const imageUpdated = (image: ImageRecord | null): LibraryChange =>
  image === null ? NOTHING : changed([image.image_name], [boardOf(image)])

export const videoUpdated = (video: VideoRecord | null): LibraryChange =>
  video === null ? NOTHING : changed([video.video_name], [boardOf(video)])

export const imagesRemoved = (result: {
  affected_boards: readonly string[]
  deleted_images: readonly string[]
}): LibraryChange => ({
  images: { destroyed: result.deleted_images },
  boards: { updated: result.affected_boards },
})

/** For units that count what they remove, and do not name it. */
export const countRemoved = (
  result: number | { deleted_images: number; deleted_boards: number },
): LibraryChange =>
  typeof result === 'number'
    ? result === 0
      ? NOTHING
      : EVERYTHING
    : result.deleted_images + result.deleted_boards === 0
      ? NOTHING
      : EVERYTHING

export const trashed = (result: TrashResult | null): LibraryChange =>
  result === null
    ? NOTHING
    : changed(
        [...result.trashed_images, ...result.kept_images],
        [...result.affected_boards, ...result.trashed_boards],
      )

export const duplicatesResolved = (result: ResolveResult): LibraryChange =>
  changed(
    [
      ...result.trashed_images,
      ...result.starred_images,
      ...result.previous_ratings.flatMap(({ image_names }) => image_names),
      ...result.added_tags.flatMap(({ image_names }) => image_names),
    ],
    result.affected_boards,
  )

export const duplicatesUnresolved = (result: UnresolveResult): LibraryChange =>
  changed([...result.restored_images, ...result.changed_images], result.affected_boards)

export const restored = (result: RestoreResult | null): LibraryChange =>
  result === null
    ? NOTHING
    : changed(
        [...result.restored_images, ...result.returned_images],
        [...result.affected_boards, ...result.restored_boards],
      )

/** Records do not show fingerprints. */
export const reread = (
  _result: unknown,
  _version: number,
  images: readonly RereadImage[],
): LibraryChange =>
  changed(
    images.flatMap(({ imageName, read }) => (read === null ? [] : [imageName])),
    [],
  )

const changed = (images: readonly string[], boards: readonly string[]): LibraryChange =>
  images.length + boards.length === 0
    ? NOTHING
    : { images: { updated: images }, boards: { updated: [...new Set(boards)] } }
