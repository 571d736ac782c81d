import { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { JsonText } from '#server/core/images/image-ports.ts'

/** The used members of a Fastify reply. TypeScript needs a second to compare two complete reply types. */
interface JsonReply {
  type(mediaType: string): JsonReply
  header(name: string, value: number): JsonReply
  send(payload: Readable | string): JsonReply
}

/** Up to this length a list is serialized at once, which takes a few milliseconds. */
const SHORT_LIST = 5_000

/** Number of items to serialize before other requests are processed. */
const ITEMS_PER_PIECE = 2_000

/** True if serializing the list at once would delay other requests noticeably. */
export const isLong = (list: readonly unknown[]): boolean => list.length > SHORT_LIST

/**
 * Sends JSON with a long list in pieces. The event loop processes other requests between two pieces.
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
  for (let start = 0; start < list.length; start += ITEMS_PER_PIECE) {
    const piece = JSON.stringify(list.slice(start, start + ITEMS_PER_PIECE)).slice(1, -1)
    yield start === 0 ? piece : `,${piece}`
    await nextTurn()
  }
  yield `]${frame.after}`
}

/** Up to this size (about 5,000 names) a text is sent as one string, which has less overhead. */
const SHORT_TEXT_BYTES = 250_000

/** Sends a list of names. `frame` is as in `sendInPieces`. */
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

/** Sends JSON that may have several megabytes. For a slow client, only two pieces are in memory. */
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

/** Yields each value as a line of JSON. */
export async function* toLines(values: AsyncIterable<unknown>): AsyncGenerator<string> {
  for await (const value of values) yield `${JSON.stringify(value)}\n`
}
