import { ConnectionError, isRefused, RefusedError, type TesseraClient } from '#client/index.ts'
import { UNCATEGORIZED_BOARD_ID } from '#contract/board.ts'
import { reasonOf } from '#gallery/api/reason-of.ts'
import { type Aspect, countTargets, type Request, targetsOf, type Value } from './outbox-state.ts'
import { NoAnswerError, type Parts, type Refusals } from './outbox-work.ts'

/** Up to this many images use single requests, because the server accepts only ten batch requests per minute. */
const MAX_SINGLES = 3

/** Records per answer. Parsing a larger answer would block the page noticeably. */
const MAX_LOOKED_UP = 2_500

/**
 * Images per trash request: about one second of work. The page can thus show progress and cancel soon, and the server
 * can answer other clients in between.
 */
export const IMAGES_PER_PART = 5_000

/** Temporary statuses: the server or a proxy in front of it is busy, starting or stopping. */
const TEMPORARY = [429, 502, 503, 504]

const GONE = 'It no longer exists.'

/** Sends the requests of the outbox. */
export class RequestSender {
  readonly #client: TesseraClient

  constructor(client: TesseraClient) {
    this.#client = client
  }

  /**
   * Sends a request of the outbox as one batch request, or as a few single ones.
   *
   * @returns The reasons for refused targets.
   * @throws {NoAnswerError} The request can be sent again.
   */
  async send(request: Request, parts: Parts): Promise<Refusals> {
    const targets = targetsOf(request.entries)
    try {
      if (request.aspect === 'board_trashed')
        return await this.#trashBoards(targets, request.wanted, parts)
      return await this.#sendTo(request.aspect, request.wanted, targets)
    } catch (error) {
      if (canBeSentAgain(error)) throw new NoAnswerError(undefined, { cause: error })
      throw new Error(reasonOf(error), { cause: error })
    }
  }

  /** Asks the server for the current star or board of images. */
  async lookUp(aspect: Aspect, imageNames: readonly string[]): Promise<ReadonlyMap<string, Value>> {
    if (aspect !== 'starred' && aspect !== 'board') return new Map()
    const values = new Map<string, Value>()
    for (let start = 0; start < imageNames.length; start += MAX_LOOKED_UP) {
      const names = imageNames.slice(start, start + MAX_LOOKED_UP)
      for (const { image_name, starred, board_id } of await this.#client.images.getMany(names)) {
        values.set(
          image_name,
          aspect === 'starred' ? starred : (board_id ?? UNCATEGORIZED_BOARD_ID),
        )
      }
    }
    return values
  }

  #sendTo(
    aspect: Exclude<Aspect, 'board_trashed'>,
    wanted: Value,
    targets: readonly string[],
  ): Promise<Refusals> {
    switch (aspect) {
      case 'starred':
        return this.#star(targets, wanted === true)
      case 'board':
        return this.#move(targets, String(wanted))
      case 'trashed':
        return wanted ? this.#trash(targets) : this.#restore({ imageNames: targets })
      case 'deleted':
        return wanted ? this.#deleteForGood(targets) : Promise.resolve(new Map())
      case 'board_name':
        return this.#renameBoards(targets, String(wanted))
      case 'board_deleted':
        return wanted ? this.#deleteBoards(targets, wanted) : Promise.resolve(new Map())
      case 'trash_emptied':
        return this.#emptyTrash()
    }
  }

  async #star(imageNames: readonly string[], starred: boolean): Promise<Refusals> {
    if (!isBatch('starred', imageNames.length)) {
      return oneByOne(imageNames, async (name) => {
        await this.#client.images.update(name, { starred })
      })
    }
    if (starred) {
      return missing(imageNames, (await this.#client.images.star(imageNames)).starred_images)
    }
    return missing(imageNames, (await this.#client.images.unstar(imageNames)).unstarred_images)
  }

  async #move(imageNames: readonly string[], boardId: string): Promise<Refusals> {
    if (isBatch('board', imageNames.length)) {
      return missing(imageNames, (await this.#client.images.move(imageNames, boardId)).moved_images)
    }
    const anywhere = this.#client.boards.getUncategorizedHandle()
    return oneByOne(imageNames, async (name) => {
      if (!(await anywhere.moveImageTo(name, boardId))) throw new Error(GONE)
    })
  }

  async #trash(imageNames: readonly string[]): Promise<Refusals> {
    const { failed_images } = await this.#client.trash.trashImages(imageNames)
    return new Map(failed_images.map((name) => [name, GONE]))
  }

  async #restore(what: {
    imageNames?: readonly string[]
    boardIds?: readonly string[]
  }): Promise<Refusals> {
    // The answer omits items that are not in the trash: they were restored or purged before.
    await this.#client.trash.restore(what)
    return new Map()
  }

  async #emptyTrash(): Promise<Refusals> {
    await this.#client.trash.empty()
    return new Map()
  }

  async #deleteForGood(imageNames: readonly string[]): Promise<Refusals> {
    // Unknown names are not an error: those images are already deleted.
    await this.#client.images.delete(imageNames)
    return new Map()
  }

  #renameBoards(boardIds: readonly string[], boardName: string): Promise<Refusals> {
    return oneByOne(boardIds, async (id) => {
      await this.#client.boardOperations.update(id, { board_name: boardName })
    })
  }

  #trashBoards(boardIds: readonly string[], wanted: Value, parts: Parts): Promise<Refusals> {
    if (wanted === false) return this.#restore({ boardIds })
    return oneByOne(boardIds, (id) =>
      unlessGone(this.#trashInParts(id, { includeImages: wanted === 'with images', parts })),
    )
  }

  /**
   * Moves the images of a board to the trash in parts. The last part also moves the board. Restoring the board restores
   * all of its images, even if the last part was not sent.
   */
  async #trashInParts(
    boardId: string,
    { includeImages, parts }: { includeImages: boolean; parts: Parts },
  ): Promise<void> {
    const options = { includeImages, maxImages: IMAGES_PER_PART }
    for (;;) {
      const { trashed_boards } = await this.#client.trash.trashBoard(boardId, options)
      if (trashed_boards.length > 0 || !parts.isWanted()) return
      parts.onPart(IMAGES_PER_PART)
    }
  }

  #deleteBoards(boardIds: readonly string[], wanted: Value): Promise<Refusals> {
    return oneByOne(boardIds, (id) =>
      unlessGone(
        this.#client.boardOperations.delete(id, { includeImages: wanted === 'with images' }),
      ),
    )
  }
}

/** True if the request can be retried: no answer arrived, or the refusal is temporary. */
const canBeSentAgain = (error: unknown): boolean =>
  error instanceof ConnectionError ||
  isRefused(error, 'login_required') ||
  (error instanceof RefusedError && TEMPORARY.includes(error.status))

/** Returns the rate limits of the server that a request counts in. */
export const limitsOf = ({ aspect, entries }: Request): readonly ('default' | 'batch')[] =>
  isBatch(aspect, countTargets(entries)) ? ['default', 'batch'] : ['default']

function isBatch(aspect: Aspect, count: number): boolean {
  if (aspect === 'starred' || aspect === 'board') return count > MAX_SINGLES
  return aspect !== 'board_name'
}

/** Ignores that the board no longer exists: an earlier attempt deleted it, but its answer was lost. */
async function unlessGone(call: Promise<unknown>): Promise<void> {
  await call.catch((error: unknown) => {
    if (!isRefused(error, 'board_not_found')) throw error
  })
}

/** Sends one request per target. A refusal does not stop the others, a missing answer does. */
async function oneByOne(
  targets: readonly string[],
  call: (target: string) => Promise<void>,
): Promise<Refusals> {
  const refusals = new Map<string, string>()
  for (const target of targets) {
    try {
      await call(target)
    } catch (error) {
      if (canBeSentAgain(error)) throw error
      refusals.set(target, isGone(error) ? GONE : reasonOf(error))
    }
  }
  return refusals
}

const isGone = (error: unknown): boolean =>
  error instanceof RefusedError && (error.status === 404 || error.code === 'image_update_failed')

const missing = (asked: readonly string[], done: readonly string[]): Refusals => {
  const there = new Set(done)
  return new Map(asked.filter((name) => !there.has(name)).map((name) => [name, GONE]))
}
