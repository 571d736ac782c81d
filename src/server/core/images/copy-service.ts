import { UNCATEGORIZED_BOARD_ID } from '#contract/board.ts'
import type { CopiedImagesResult, ImageCopy, ImageRecord } from '#contract/image.ts'
import type { MediaType } from '#contract/media-types.ts'
import type { Clock } from '#server/core/clock.ts'
import { commitFiles, imageNamesInOneFolder } from '#server/core/intake/commit-files.ts'
import type { ImageFiles, StagedFile, ThumbnailFiles } from '#server/core/intake/file-ports.ts'
import type { BoardRecords } from '#server/core/record-ports.ts'
import { Refusal } from '#server/core/refusal.ts'
import { assertNamesFit, type ImageRecords } from './image-ports.ts'
import type { OriginalCheck } from './original-check.ts'

/** Images per commit. The writer needs about 100 ms for these, so that other writes get their turn. */
const IMAGES_PER_COMMIT = 200

export interface CopyParts {
  images: Pick<ImageRecords, 'addCopies' | 'isThere' | 'listByNames'>
  boards: Pick<BoardRecords, 'get'>
  files: ImageFiles
  originals: Pick<OriginalCheck, 'stateOf'>
  thumbnails: ThumbnailFiles
  clock: Clock
  /** Called with errors that are not refusals and happen after some images were copied. */
  onFailure: (error: unknown) => void
}

/**
 * Copies images to a board (a Tessera extension). A copy has the bytes, file name, dates, metadata, workflow and star
 * of its original. It uses the same commit as an upload, so after a crash it is either complete or absent.
 */
export class CopyService {
  readonly #parts: CopyParts
  #isClosed = false

  constructor(parts: CopyParts) {
    this.#parts = parts
  }

  /**
   * Copies images in the order of the names. If an error occurs after some images were copied, these copies remain
   * and the other names are in `failed_images`, together with unknown names, images in the trash, and images whose
   * file is missing or damaged.
   *
   * @param boardId - `none` for uncategorized.
   * @throws {Refusal} `board_not_found`, `too_many_names`, `disk_full`, `busy`, `stopping`. Nothing was copied.
   */
  async copy(imageNames: readonly string[], boardId: string): Promise<CopiedImagesResult> {
    assertNamesFit(imageNames)
    await this.#assertBoard(boardId)
    const names = [...new Set(imageNames)]
    const copies: ImageCopy[] = []
    try {
      for (let at = 0; at < names.length; at += IMAGES_PER_COMMIT) {
        if (this.#isClosed) throw new Refusal('stopping')
        copies.push(...(await this.#copyPart(names.slice(at, at + IMAGES_PER_COMMIT), boardId)))
      }
    } catch (error) {
      if (copies.length === 0) throw error
      if (!(error instanceof Refusal)) this.#parts.onFailure(error)
    }
    const copied = new Set(copies.map(({ copy_of }) => copy_of))
    return {
      affected_boards: copies.length > 0 ? [boardId] : [],
      copied_images: copies,
      failed_images: names.filter((name) => !copied.has(name)),
    }
  }

  /** Stops after the current commit. */
  close(): void {
    this.#isClosed = true
  }

  async #assertBoard(boardId: string): Promise<void> {
    if (boardId === UNCATEGORIZED_BOARD_ID) return
    if ((await this.#parts.boards.get(boardId)) === null) throw new Refusal('board_not_found')
  }

  async #copyPart(imageNames: readonly string[], boardId: string): Promise<ImageCopy[]> {
    const { images, thumbnails, clock } = this.#parts
    const originals = await images.listByNames(imageNames)
    const staged = await this.#stage(originals.filter(({ deleted_at }) => deleted_at === null))
    const nextName = imageNamesInOneFolder(clock)
    const files = staged.map(({ original, incoming }) => {
      const image_name = nextName(mediaTypeOf(original))
      const copy: ImageCopy = { image_name, copy_of: original.image_name }
      const writeThumbnail = () => thumbnails.duplicate(original.image_name, image_name)
      return { imageName: image_name, incoming, copy, writeThumbnail }
    })
    return commitFiles(this.#parts, files, async () => {
      const copies = files.map(({ copy }) => copy)
      const added = await images.addCopies(copies, boardId)
      if (added === 'board_not_found') throw new Refusal('board_not_found')
      const isAdded = new Set(added)
      const [result, unused] = [
        copies.filter(({ image_name }) => isAdded.has(image_name)),
        copies.filter(({ image_name }) => !isAdded.has(image_name)),
      ]
      return { result, unused: unused.map(({ image_name }) => image_name) }
    })
  }

  /** Stages the files of images. Skips images whose file is missing or damaged. */
  async #stage(
    originals: readonly ImageRecord[],
  ): Promise<{ original: ImageRecord; incoming: StagedFile }[]> {
    const { files } = this.#parts
    const results = await Promise.allSettled(
      originals.map(async (original) => ({
        original,
        incoming:
          (await this.#parts.originals.stateOf(original)) === 'whole'
            ? await files.duplicate(original.image_name)
            : null,
      })),
    )
    const staged = results.flatMap((result) => {
      if (result.status === 'rejected' || result.value.incoming === null) return []
      return [{ original: result.value.original, incoming: result.value.incoming }]
    })
    const failure = results.find((result) => result.status === 'rejected')
    if (failure === undefined) return staged
    for (const { incoming } of staged) await files.discard(incoming)
    throw failure.reason
  }
}

/** Returns the media type, which records of this server always have. */
const mediaTypeOf = ({ image_name, media_type }: ImageRecord): MediaType => {
  if (media_type === null) throw new Error(`${image_name} has no media type`)
  return media_type
}
