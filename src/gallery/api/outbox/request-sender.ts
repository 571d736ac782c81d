import { ConnectionError, isRefused, RefusedError, type TesseraClient } from '#client/index.ts'
import { UNCATEGORIZED_BOARD_ID } from '#contract/board.ts'
import { reasonOf } from '#gallery/api/reason-of.ts'
import {
  type Aspect,
  countTargets,
  type Entry,
  type Request,
  targetsOf,
  type Value,
} from './outbox-state.ts'
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

/** Image names in a `keepalive` request. Browsers limit such requests to 64 kB in total, and a name has 40 bytes. */
const MAX_UNLOAD_NAMES = 1000

/** Temporary statuses: the server or a proxy in front of it is busy, starting or stopping. */
const TEMPORARY = [429, 502, 503, 504]

const GONE = 'It no longer exists.'

const NOTHING_REFUSED: Refusals = new Map()

/**
 * Sends a request of the outbox as one batch request, or as a few single ones.
 *
 * @returns The reasons for refused targets.
 * @throws {NoAnswerError} The request can be sent again.
 */
export async function sendRequest(
  client: TesseraClient,
  request: Request,
  parts: Parts,
): Promise<Refusals> {
  try {
    return await send(client, request, parts)
  } catch (error) {
    if (canBeSentAgain(error)) throw new NoAnswerError(undefined, { cause: error })
    throw new Error(reasonOf(error), { cause: error })
  }
}

/** Asks the server for the current star or board of images. */
export async function lookUp(
  { images }: TesseraClient,
  aspect: Aspect,
  imageNames: readonly string[],
): Promise<ReadonlyMap<string, Value>> {
  const values = new Map<string, Value>()
  if (aspect !== 'starred' && aspect !== 'board') return values
  for (let start = 0; start < imageNames.length; start += MAX_LOOKED_UP) {
    const names = imageNames.slice(start, start + MAX_LOOKED_UP)
    for (const { image_name, starred, board_id } of await images.getMany(names)) {
      values.set(image_name, aspect === 'starred' ? starred : (board_id ?? UNCATEGORIZED_BOARD_ID))
    }
  }
  return values
}

async function send(
  client: TesseraClient,
  { aspect, wanted, entries }: Request,
  parts: Parts,
): Promise<Refusals> {
  const { images, boardOperations, trash } = client
  const targets = targetsOf(entries)
  const includeImages = wanted === 'with images'
  switch (aspect) {
    case 'starred':
      return star(client, targets, wanted === true)
    case 'board':
      return move(client, targets, String(wanted))
    case 'trashed': {
      if (wanted) {
        const { failed_images } = await trash.trashImages(targets)
        return new Map(failed_images.map((name) => [name, GONE]))
      }
      // The answer omits items that are not in the trash: they were restored or purged before.
      await trash.restore({ imageNames: targets })
      return NOTHING_REFUSED
    }
    case 'deleted':
      // Unknown names are not an error: those images are already deleted.
      if (wanted) await images.delete(targets)
      return NOTHING_REFUSED
    case 'board_name':
      return oneByOne(targets, (id) => boardOperations.update(id, { board_name: String(wanted) }))
    case 'board_trashed':
      if (wanted) {
        return oneByOne(targets, (id) =>
          unlessGone(trashInParts(client, id, { includeImages, parts })),
        )
      }
      await trash.restore({ boardIds: targets })
      return NOTHING_REFUSED
    case 'board_deleted':
      if (!wanted) return NOTHING_REFUSED
      return oneByOne(targets, (id) => unlessGone(boardOperations.delete(id, { includeImages })))
    case 'trash_emptied':
      await trash.empty()
      return NOTHING_REFUSED
  }
}

async function star(
  { images }: TesseraClient,
  imageNames: readonly string[],
  starred: boolean,
): Promise<Refusals> {
  if (!isBatch('starred', imageNames.length)) {
    return oneByOne(imageNames, (name) => images.update(name, { starred }))
  }
  if (starred) return missing(imageNames, (await images.star(imageNames)).starred_images)
  return missing(imageNames, (await images.unstar(imageNames)).unstarred_images)
}

async function move(
  { images, boards }: TesseraClient,
  imageNames: readonly string[],
  boardId: string,
): Promise<Refusals> {
  if (isBatch('board', imageNames.length)) {
    return missing(imageNames, (await images.move(imageNames, boardId)).moved_images)
  }
  const anywhere = boards.getUncategorizedHandle()
  return oneByOne(imageNames, async (name) => {
    if (!(await anywhere.moveImageTo(name, boardId))) throw new Error(GONE)
  })
}

/**
 * Moves the images of a board to the trash in parts. The last part also moves the board. Restoring the board restores
 * all of its images, even if the last part was not sent.
 */
async function trashInParts(
  { trash }: TesseraClient,
  boardId: string,
  { includeImages, parts }: { includeImages: boolean; parts: Parts },
): Promise<void> {
  for (;;) {
    const options = { includeImages, maxImages: IMAGES_PER_PART }
    const { trashed_boards } = await trash.trashBoard(boardId, options)
    if (trashed_boards.length > 0 || !parts.isWanted()) return
    parts.onPart(IMAGES_PER_PART)
  }
}

/**
 * Sends pending permanent deletions while the page is unloaded. Deletions that do not fit or get lost stay in the
 * journal, and the next page sends them.
 */
export function sendDeletions(
  { images, boardOperations }: TesseraClient,
  entries: readonly Entry[],
): void {
  const pending = entries.filter(({ wanted }) => wanted)
  const names = targetsOf(pending.filter(({ aspect }) => aspect === 'deleted'))
  if (names.length > 0) void images.delete(names.slice(0, MAX_UNLOAD_NAMES)).catch(() => {})
  for (const { aspect, targets, wanted } of pending) {
    if (aspect !== 'board_deleted') continue
    const includeImages = wanted === 'with images'
    for (const id of targets) void boardOperations.delete(id, { includeImages }).catch(() => {})
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
  call: (target: string) => Promise<unknown>,
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
