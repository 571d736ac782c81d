import { failureOf } from '#server/core/validation/fault-list.ts'
import { findings } from '#server/core/validation/findings.ts'

const jsonTypes = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i

/** True if the content type is JSON. InvokeAI ignores bodies of any other type. */
export const isJson = (contentType: string | undefined): boolean =>
  contentType !== undefined && jsonTypes.test(contentType)

const BYTE_ORDER_MARK = '\ufeff'

/** Length limit for finding the fault's position, because the search parses the text several times. */
const MAX_SEARCHED_LENGTH = 64 * 1024

/**
 * Parses a JSON body. An empty body is absent, because clients send the content type with every request.
 *
 * @throws {ValidationFailure} `json_invalid`, with the offset of the invalid character.
 */
export function parseJson(body: string): unknown {
  // Some Windows programs write a byte order mark before the body.
  const text = body.startsWith(BYTE_ORDER_MARK) ? body.slice(1) : body
  if (text.trim() === '') return undefined
  try {
    return JSON.parse(text)
  } catch (error) {
    const fault = messageOf(error)
    throw failureOf(findings.json(fault), ['body', offsetOf(text, fault)], {})
  }
}

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error)

const faultOf = (text: string): string | null => {
  try {
    JSON.parse(text)
    return null
  } catch (error) {
    return messageOf(error)
  }
}

const positionIn = (message: string): number | null => {
  const [, position] = /at position (\d+)/.exec(message) ?? []
  return position === undefined ? null : Number(position)
}

/**
 * Returns the offset of the invalid character. V8 does not always report it. Then a binary search finds the shortest
 * prefix that fails for another reason than being cut off.
 */
function offsetOf(text: string, fault: string): number {
  const position = positionIn(fault)
  if (position !== null || text.length > MAX_SEARCHED_LENGTH) return position ?? 0
  let fine = 0
  let broken = text.length + 1
  while (broken - fine > 1) {
    const middle = (fine + broken) >> 1
    const message = faultOf(text.slice(0, middle))
    const isOnlyCut =
      message === null || /end of|Unterminated/.test(message) || positionIn(message) === middle
    if (isOnlyCut) fine = middle
    else broken = middle
  }
  return fine
}
