import { SOCKET_IO_PATH } from '#contract/events.ts'
import { DESCRIPTION_PATH } from '#server/http/paths.ts'

/** A path and query of visible ASCII. A percent sign must precede two hex digits. */
const plainTarget = /^(?:[\w.~!$&'()*+,;=:@/-]|%[\da-f]{2})*(?:\?(?:[!"$&-~]|%[\da-f]{2})*)?$/i

/** Forwarded paths besides the API: its description, which clients of InvokeAI request, and events. */
const otherPaths: ReadonlySet<string> = new Set([
  DESCRIPTION_PATH,
  SOCKET_IO_PATH,
  `${SOCKET_IO_PATH}/`,
])

/** Decoding rounds to check, because chained servers may each decode once. */
const MAX_DECODINGS = 4

/** Parts that could leave the API's path, end it, or name another host. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const unsafePath = /[\\\x00-\x1f\x7f]|\/\/|(?:^|\/)\.{1,2}(?:\/|;|$)/

/**
 * Returns the target of a request on the upstream: its unchanged path and query if they are forwarded, otherwise
 * null.
 *
 * A path that passes the checks only after decoding, or only before it, is rejected: this server and the upstream
 * must read the same path.
 *
 * @param target - The raw request target.
 */
export function upstreamPath(target: string): string | null {
  if (!plainTarget.test(target)) return null
  const [path = ''] = target.split('?', 1)
  if (path.startsWith('/api/')) return isSafePath(path) ? target : null
  return otherPaths.has(path) ? target : null
}

/** True if the path stays safe however often it is decoded. */
function isSafePath(path: string): boolean {
  // Most paths contain no escapes, so that decoding does not change them.
  if (!path.includes('%')) return !unsafePath.test(path)
  const segmentCount = path.split('/').length
  let decoded = path
  for (let round = 0; round < MAX_DECODINGS; round++) {
    // Normalization turns dots and slashes of other scripts into ASCII.
    const read = decoded.normalize('NFKC')
    if (unsafePath.test(read) || read.split('/').length !== segmentCount) return false
    if (!decoded.includes('%')) return true
    try {
      decoded = decodeURIComponent(decoded)
    } catch {
      return false
    }
  }
  return false
}
