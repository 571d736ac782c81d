import { getVersion } from '#contract/server/app-operations.ts'
import { Refusal } from '#server/core/refusal.ts'
import { answerTo, type Upstream } from './upstream.ts'
import { UpstreamTimeout } from './upstream-refusal.ts'

const MAX_ANSWER_LENGTH = 10_000

/**
 * Requests the version of an upstream on a new connection. This is the cheapest route and needs no sign-in.
 *
 * @throws {UpstreamTimeout} The complete response did not arrive within `deadlineMs`.
 * @throws {Refusal} `upstream_answer_refused`: the server is not InvokeAI.
 */
export async function askVersion(
  upstream: Upstream,
  { deadlineMs, signal }: { deadlineMs: number; signal: AbortSignal },
): Promise<string> {
  const request = upstream.open({
    method: 'GET',
    path: getVersion.path,
    headers: {
      accept: 'application/json',
      'accept-encoding': 'identity',
      host: upstream.host,
    },
    pool: 'probe',
    signal,
  })
  request.end()
  let isLate = false
  const deadline = setTimeout(() => {
    isLate = true
    request.destroy()
  }, deadlineMs)
  try {
    const answer = await answerTo(request, deadlineMs)
    let text = ''
    for await (const piece of answer.setEncoding('utf8')) {
      text += piece
      if (text.length > MAX_ANSWER_LENGTH) break
    }
    return versionIn(text, upstream.address.origin)
  } catch (error) {
    throw isLate ? new UpstreamTimeout(deadlineMs) : error
  } finally {
    clearTimeout(deadline)
  }
}

function versionIn(text: string, origin: string): string {
  try {
    const { version } = JSON.parse(text) as { version?: unknown }
    if (typeof version === 'string' && /^\d[\w.+-]{0,60}$/.test(version)) return version
  } catch {
    // Not JSON, perhaps an HTML page.
  }
  const detail = `What answers at ${origin} is no InvokeAI. Look at --upstream.`
  throw new Refusal('upstream_answer_refused', detail)
}
