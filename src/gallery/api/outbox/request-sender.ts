import { isRefused, RefusedError } from '#client/index.ts'
import type { ImageRecord } from '#contract/image.ts'
import { sendDuplicates } from '#gallery/api/duplicate-requests.ts'
import { reasonOf } from '#gallery/api/reason-of.ts'
import { hasTag } from '#gallery/api/tags/tag-lists.ts'
import { assertAsLeft, changeBoard, type OutboxClient, restoreBoard } from './board-requests.ts'
import { boardIdOf, notAsLeft, onOtherBoards, ratedSince, recordsOf } from './not-as-left.ts'
import {
  type Aspect,
  countTargets,
  type Entry,
  isTagAspect,
  type Request,
  tagOfAspect,
  targetsOf,
  type UndoDetails,
  type Value,
} from './outbox-state.ts'
import {
  canBeSentAgain,
  IMAGES_PER_PART,
  NoAnswerError,
  type Parts,
  type Refusals,
} from './outbox-work.ts'
import { GONE } from './skip-reasons.ts'
import { isRestoredTo } from './step-recipe.ts'

/** Up to this many images use single requests, because the server accepts only ten batch requests per minute. */
const MAX_SINGLES = 3

/** Image names in a `keepalive` request. Browsers limit such requests to 64 kB in total, and a name has 40 bytes. */
const MAX_UNLOAD_NAMES = 1000

const NOTHING_REFUSED: Refusals = new Map()

/**
 * Sends a request of the outbox as one batch request, or as a few single ones.
 *
 * @returns The reasons for refused targets.
 * @throws {NoAnswerError} The request can be sent again.
 */
export async function sendRequest(
  client: OutboxClient,
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

/** Asks the server for the current star, rating, tag or board of images. */
export async function lookUp(
  client: OutboxClient,
  aspect: Aspect,
  imageNames: readonly string[],
): Promise<ReadonlyMap<string, Value>> {
  const values = new Map<string, Value>()
  const read = readerOf(aspect)
  if (read === null) return values
  for await (const record of recordsOf(client, imageNames)) {
    values.set(record.image_name, read(record))
  }
  return values
}

function readerOf(aspect: Aspect): ((record: ImageRecord) => Value) | null {
  if (isTagAspect(aspect)) return ({ tags }) => hasTag(tags, tagOfAspect(aspect))
  if (aspect === 'rating') return ({ rating }) => rating
  if (aspect === 'starred') return ({ starred }) => starred
  return aspect === 'board' ? boardIdOf : null
}

async function send(
  client: OutboxClient,
  { aspect, wanted, entries }: Request,
  parts: Parts,
): Promise<Refusals> {
  const { images, boardOperations, trash } = client
  const targets = targetsOf(entries)
  const includeImages = wanted === 'with images'
  const [first] = entries
  if (isTagAspect(aspect)) return tag(client, targets, tagOfAspect(aspect), wanted === true)
  switch (aspect) {
    case 'starred':
      return star(client, targets, wanted === true)
    case 'rating':
      return rateAsLeft(client, entries, Number(wanted))
    case 'board':
      return moveAsLeft(client, entries, String(wanted))
    case 'trashed':
      return wanted === true
        ? trashImages(client, entries)
        : restore(client, targets, wanted, parts)
    case 'deleted':
      // Unknown names are not an error: those images are already deleted.
      if (wanted) await images.delete(targets)
      return NOTHING_REFUSED
    case 'board_name':
    case 'board_archived':
    case 'board_visibility':
    case 'board_cover':
    case 'board_pinned':
    case 'board_description':
    case 'board_position':
      return oneByOne(targets, (id) => changeBoard(client, id, { ...first, aspect, wanted }))
    case 'board_trashed':
      return oneByOne(targets, (id) =>
        wanted
          ? unlessGone(trashInParts(client, id, { ...first, includeImages, parts }))
          : restoreBoard(client, id, { ...first }, parts),
      )
    case 'board_deleted':
      if (!wanted) return NOTHING_REFUSED
      return oneByOne(targets, async (id) => {
        await unlessGone(assertAsLeft(client, id, { ...first }))
        await unlessGone(boardOperations.delete(id, { includeImages }))
      })
    case 'trash_emptied':
      await trash.empty()
      return NOTHING_REFUSED
    case 'duplicates_resolved':
    case 'duplicates_dismissed':
      return sendDuplicates(client, { aspect, wanted: wanted === true, targets }, parts)
  }
}

/** Moves images to the trash. Undo of a restore leaves those that others have moved since. */
async function trashImages(client: OutboxClient, entries: readonly Entry[]): Promise<Refusals> {
  const restoredTo = new Map<string, string>()
  for (const { aspect, onlyIf, targets } of entries) {
    if (!isRestoredTo(aspect, onlyIf)) continue
    for (const target of targets) restoredTo.set(target, String(onlyIf))
  }
  const refusals = new Map(await onOtherBoards(client, restoredTo))
  const rest = targetsOf(entries).filter((name) => !refusals.has(name))
  const groups = Map.groupBy(rest, (name) => restoredTo.has(name))
  for (const [undoesRestore, names] of groups) {
    const { failed_images } = await client.trash.trashImages(names, { undoesRestore })
    for (const name of failed_images) refusals.set(name, GONE)
  }
  return refusals
}

/** @param boardId - false: the previous boards of the images. */
async function restore(
  client: OutboxClient,
  imageNames: readonly string[],
  boardId: Value,
  parts: Parts,
): Promise<Refusals> {
  const toBoardId = typeof boardId === 'string' ? boardId : undefined
  // The answer omits images that are not in the trash: they were restored or purged before.
  const { restored_images, images_by_board } = await client.trash.restore({
    imageNames,
    toBoardId,
  })
  if (toBoardId === undefined) {
    parts.onRestored(images_by_board.map(({ board_id, image_names }) => [board_id, image_names]))
  }
  const isRestored = new Set(restored_images)
  return notAsLeft(
    client,
    imageNames.filter((name) => !isRestored.has(name)),
  )
}

async function star(
  { images }: OutboxClient,
  imageNames: readonly string[],
  starred: boolean,
): Promise<Refusals> {
  if (!isBatch('starred', imageNames.length)) {
    return oneByOne(imageNames, (name) => images.update(name, { starred }))
  }
  if (starred) return missing(imageNames, (await images.star(imageNames)).starred_images)
  return missing(imageNames, (await images.unstar(imageNames)).unstarred_images)
}

/** Rates images. Those of an Undo or Redo are rated only if they still have the rating that the action left them. */
async function rateAsLeft(
  client: OutboxClient,
  entries: readonly Entry[],
  rating: number,
): Promise<Refusals> {
  const expected = expectedOf(entries)
  const refusals =
    expected.size === 0 ? NOTHING_REFUSED : await ratedSince(client, expected, rating)
  const rest = targetsOf(entries).filter((name) => !refusals.has(name))
  if (rest.length > 0) await client.images.rate(rest, rating)
  return refusals
}

/** Adds or removes a tag. */
async function tag(
  { images }: OutboxClient,
  imageNames: readonly string[],
  name: string,
  isAdded: boolean,
): Promise<Refusals> {
  await images.tag(imageNames, isAdded ? { add: [name] } : { remove: [name] })
  return NOTHING_REFUSED
}

/** Returns the values that the images of an Undo or Redo must still have. */
function expectedOf(entries: readonly Entry[]): Map<string, Value> {
  const expected = new Map<string, Value>()
  for (const { onlyIf, targets } of entries) {
    if (onlyIf !== undefined) for (const target of targets) expected.set(target, onlyIf)
  }
  return expected
}

/** Moves images. Those of an Undo or Redo are moved only if they are still where the action left them. */
async function moveAsLeft(
  client: OutboxClient,
  entries: readonly Entry[],
  boardId: string,
): Promise<Refusals> {
  const expected = expectedOf(entries)
  const names = targetsOf(entries)
  if (expected.size === 0) return move(client, names, boardId)
  const refusals = await notAsLeft(client, [...expected.keys()], { expected, wanted: boardId })
  const rest = names.filter((name) => !refusals.has(name))
  if (rest.length === 0) return refusals
  return new Map([...refusals, ...(await move(client, rest, boardId))])
}

async function move(
  { images, boards }: OutboxClient,
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
  client: OutboxClient,
  boardId: string,
  options: UndoDetails & { includeImages: boolean; parts: Parts },
): Promise<void> {
  const { includeImages, parts } = options
  await assertAsLeft(client, boardId, options)
  for (;;) {
    const part = { includeImages, maxImages: IMAGES_PER_PART }
    const { trashed_boards, trashed_images, kept_images } = await client.trash.trashBoard(
      boardId,
      part,
    )
    parts.onBoardImages({ trashed: trashed_images, kept: kept_images })
    if (trashed_boards.length > 0 || !parts.isWanted()) return
    parts.onPart(IMAGES_PER_PART)
  }
}

/**
 * Sends pending permanent deletions while the page is unloaded. Deletions that do not fit or get lost stay in the
 * storage, and the next page sends them.
 */
export function sendDeletions(
  { images, boardOperations }: OutboxClient,
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

/** Returns the rate limits of the server that a request counts in. */
export const limitsOf = ({ aspect, entries }: Request): readonly ('default' | 'batch')[] =>
  isBatch(aspect, countTargets(entries)) ? ['default', 'batch'] : ['default']

function isBatch(aspect: Aspect, count: number): boolean {
  if (aspect === 'starred' || aspect === 'board') return count > MAX_SINGLES
  // People rate and tag images one by one, so that these requests count like others.
  const others = ['board_name', 'rating', 'duplicates_dismissed']
  return !others.includes(aspect) && !isTagAspect(aspect)
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
