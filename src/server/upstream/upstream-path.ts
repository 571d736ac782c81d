import { SOCKET_IO_PATH } from '#contract/events.ts'
import { DESCRIPTION_PATH } from '#server/http/paths.ts'

/** A path and a query as programs write them: visible ASCII, percent signs only before two digits. */
const plainTarget = /^(?:[\w.~!$&'()*+,;=:@/-]|%[\da-f]{2})*(?:\?(?:[!"$&-~]|%[\da-f]{2})*)?$/i

/** What is passed on beside the API: its description, which clients of InvokeAI ask for (wire 8), and events. */
const others: ReadonlySet<string> = new Set([
  DESCRIPTION_PATH,
  SOCKET_IO_PATH,
  `${SOCKET_IO_PATH}/`,
])

/** Decoded again and again, as servers behind each other may do. */
const MAX_DECODINGS = 4

/** What could climb out of a path, end it, or mean another host. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const crooked = /[\\\x00-\x1f\x7f]|\/\/|(?:^|\/)\.{1,2}(?:\/|;|$)/

/**
 * Where a request goes on the upstream: its own path and query, untouched, if it is one that is passed on.
 *
 * Anything that only *becomes* such a path by being decoded, or that stops being one, is none: what is checked
 * here and what the upstream reads must be the same.
 *
 * @param target - The request's target as it came in, unread.
 * @returns null: nothing is passed on.
 */
export function upstreamPath(target: string): string | null {
  if (!plainTarget.test(target)) return null
  const [path = ''] = target.split('?', 1)
  if (path.startsWith('/api/')) return isStraight(path) ? target : null
  return others.has(path) ? target : null
}

/** Whether a path stays what it is however often it is decoded. */
function isStraight(path: string): boolean {
  // Most paths are plain ASCII, which stays the same.
  if (!path.includes('%')) return !crooked.test(path)
  const segmentCount = path.split('/').length
  let decoded = path
  for (let round = 0; round < MAX_DECODINGS; round++) {
    // Dots and slashes of other scripts become plain ones where text is normalised.
    const read = decoded.normalize('NFKC')
    if (crooked.test(read) || read.split('/').length !== segmentCount) return false
    if (!decoded.includes('%')) return true
    try {
      decoded = decodeURIComponent(decoded)
    } catch {
      return false
    }
  }
  return false
}
