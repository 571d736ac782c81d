import { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { JsonText } from '#server/core/images/image-ports.ts'

/** The part of a Fastify reply that is used here. Comparing two whole replies takes TypeScript a second. */
interface JsonReply {
  type(mediaType: string): JsonReply
  header(name: string, value: number): JsonReply
  send(payload: Readable | string): JsonReply
}

/** Up to here a list is written in one go: some milliseconds. */
const SHORT_LIST = 5_000

/** Items to write before other requests get their turn. */
const ITEMS_A_PIECE = 2_000

/** True for a list that takes so long to write that other requests would wait. */
export const isLong = (list: readonly unknown[]): boolean => list.length > SHORT_LIST

/**
 * Sends JSON with a long list in pieces. Other requests get their turn between two pieces.
 *
 * @param frame - The JSON before and after the list, such as `{"image_names":` and `,"total_count":3}`.
 */
export function sendInPieces<Reply extends JsonReply>(
  reply: Reply,
  list: readonly unknown[],
  frame: { before: string; after: string } = { before: '', after: '' },
): Reply {
  reply.type('application/json').send(Readable.from(pieces(list, frame)))
  return reply
}

async function* pieces(list: readonly unknown[], frame: { before: string; after: string }) {
  yield `${frame.before}[`
  for (let start = 0; start < list.length; start += ITEMS_A_PIECE) {
    const piece = JSON.stringify(list.slice(start, start + ITEMS_A_PIECE)).slice(1, -1)
    yield start === 0 ? piece : `,${piece}`
    await nextTurn()
  }
  yield `]${frame.after}`
}

/** Up to here a text is sent as one string, with less overhead: about 5,000 names. */
const SHORT_TEXT_BYTES = 250_000

/**
 * Sends a list of names.
 *
 * @param frame - The JSON before and after the list, such as `{"image_names":` and `,"total_count":3}`.
 */
export async function sendNames<Reply extends JsonReply>(
  reply: Reply,
  names: JsonText,
  { before, after } = { before: '', after: '' },
): Promise<Reply> {
  const framed = concat([Buffer.from(before)], names.pieces, [Buffer.from(after)])
  reply.type('application/json')
  if (names.bytes > SHORT_TEXT_BYTES) {
    reply.send(Readable.from(framed, { objectMode: false }))
    return reply
  }
  const pieces: Uint8Array[] = []
  for await (const piece of framed) pieces.push(piece)
  reply.send(Buffer.concat(pieces).toString())
  return reply
}

async function* concat(...sources: (Iterable<Uint8Array> | AsyncIterable<Uint8Array>)[]) {
  for (const source of sources) yield* source
}

/** Sends JSON that may be megabytes. A slow client holds two pieces of it in memory. */
export function sendJsonText<Reply extends JsonReply>(
  reply: Reply,
  { bytes, pieces }: JsonText,
): Reply {
  reply
    .type('application/json')
    .header('content-length', bytes)
    .send(Readable.from(pieces, { objectMode: false }))
  return reply
}
