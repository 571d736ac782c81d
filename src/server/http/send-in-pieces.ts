import { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyReply } from 'fastify'
import type { JsonText } from '#server/core/image-ports.ts'

/** Up to here a list is written in one go: some milliseconds. */
const SHORT_LIST = 5_000

/** Items written between two looks at what else there is to do. */
const ITEMS_A_PIECE = 2_000

/** Whether a list is so long that writing it would keep every other request waiting. */
export const isLong = (list: readonly unknown[]): boolean => list.length > SHORT_LIST

/**
 * Sends JSON that holds a long list, piece by piece, so that others get their turn.
 *
 * @param frame - What stands around the list: `{"image_names":` and `,"total_count":3}`.
 */
export const sendInPieces = (
  reply: FastifyReply,
  list: readonly unknown[],
  frame: { before: string; after: string } = { before: '', after: '' },
) => reply.type('application/json').send(Readable.from(pieces(list, frame)))

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
 * Sends a list of names, and what is around it.
 *
 * @param frame - For instance `{"image_names":` and `,"total_count":3}`.
 */
export const sendNames = async (
  reply: FastifyReply,
  names: JsonText,
  { before, after } = { before: '', after: '' },
) => {
  const framed = concat([Buffer.from(before)], names.pieces, [Buffer.from(after)])
  if (names.bytes > SHORT_TEXT_BYTES)
    return reply.type('application/json').send(Readable.from(framed, { objectMode: false }))
  const pieces: Uint8Array[] = []
  for await (const piece of framed) pieces.push(piece)
  return reply.type('application/json').send(Buffer.concat(pieces).toString())
}

async function* concat(...sources: (Iterable<Uint8Array> | AsyncIterable<Uint8Array>)[]) {
  for (const source of sources) yield* source
}

/** Sends JSON that may be megabytes. A slow client holds two pieces of it in memory. */
export const sendJsonText = (reply: FastifyReply, { bytes, pieces }: JsonText) =>
  reply
    .type('application/json')
    .header('content-length', bytes)
    .send(Readable.from(pieces, { objectMode: false }))
