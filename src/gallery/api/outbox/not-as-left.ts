import type { TesseraClient } from '#client/index.ts'
import { UNCATEGORIZED_BOARD_ID } from '#contract/board.ts'
import type { ImageRecord } from '#contract/image.ts'
import type { Value } from './outbox-state.ts'
import type { Refusals } from './outbox-work.ts'
import { CHANGED, GONE } from './skip-reasons.ts'

/** Records per answer. Parsing a larger answer would block the page noticeably. */
const MAX_LOOKED_UP = 2_500

/** Yields the records of the named images. Unknown names are omitted. */
export async function* recordsOf(
  { images }: Pick<TesseraClient, 'images'>,
  imageNames: readonly string[],
): AsyncGenerator<ImageRecord> {
  for (let start = 0; start < imageNames.length; start += MAX_LOOKED_UP) {
    yield* await images.getMany(imageNames.slice(start, start + MAX_LOOKED_UP))
  }
}

export const boardIdOf = ({ board_id }: ImageRecord): string => board_id ?? UNCATEGORIZED_BOARD_ID

export const isLive = ({ deleted_at }: ImageRecord): boolean => !deleted_at

/** Finds the images whose rating is neither the expected one nor the wanted one. */
export async function ratedSince(
  client: Pick<TesseraClient, 'images'>,
  expected: ReadonlyMap<string, Value>,
  wanted: Value,
): Promise<Refusals> {
  const names = [...expected.keys()]
  const refusals = new Map(names.map((name) => [name, GONE]))
  for await (const { image_name, rating } of recordsOf(client, names)) {
    if (rating === wanted || rating === expected.get(image_name)) refusals.delete(image_name)
    else refusals.set(image_name, CHANGED.rating)
  }
  return refusals
}

/** Finds the images that are on another board than expected. Those in the trash are on none. */
export async function onOtherBoards(
  client: Pick<TesseraClient, 'images'>,
  expected: ReadonlyMap<string, string>,
): Promise<Refusals> {
  const refusals = new Map<string, string>()
  for await (const record of recordsOf(client, [...expected.keys()])) {
    const { image_name } = record
    if (isLive(record) && boardIdOf(record) !== expected.get(image_name))
      refusals.set(image_name, CHANGED.board)
  }
  return refusals
}

/**
 * Finds the images that Undo must skip: those that no longer exist or are in the trash, and those that are on another
 * board than the action left them on. An image that is on the wanted board already is not skipped.
 */
export async function notAsLeft(
  client: Pick<TesseraClient, 'images'>,
  imageNames: readonly string[],
  boards: { expected: ReadonlyMap<string, Value>; wanted: Value } | null = null,
): Promise<Refusals> {
  const refusals = new Map(imageNames.map((name) => [name, GONE]))
  for await (const record of recordsOf(client, imageNames)) {
    if (!isLive(record)) continue
    const boardId = boardIdOf(record)
    const isAsLeft =
      boards === null ||
      boardId === boards.wanted ||
      boardId === boards.expected.get(record.image_name)
    if (isAsLeft) refusals.delete(record.image_name)
    else refusals.set(record.image_name, CHANGED.board)
  }
  return refusals
}
