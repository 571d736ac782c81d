import type { IncomingMessage } from 'node:http'
import { type Readable, Transform } from 'node:stream'

/**
 * The body of an answer, up to a size. It fails where that is exceeded and where the upstream breaks off,
 * so that what was cut is never taken for the whole; let go of, it lets go of the upstream.
 */
export function bounded(
  answer: IncomingMessage,
  maxBytes: number,
  tooLarge: () => Error,
): Readable {
  let left = maxBytes
  const body = new Transform({
    transform: (piece: Buffer, _encoding, done) => {
      left -= piece.length
      if (left < 0) done(tooLarge())
      else done(null, piece)
    },
  })
  body.on('error', () => {}) // whoever reads it hears of it; it may come before anybody does
  answer.once('error', (error) => body.destroy(error))
  body.once('close', () => answer.destroy())
  return answer.pipe(body)
}
