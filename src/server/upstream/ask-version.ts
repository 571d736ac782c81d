import { getVersion } from '#contract/app-operations.ts'
import { Refusal } from '#server/core/refusal.ts'
import { answerTo, type Upstream } from './upstream.ts'
import { UpstreamTimeout } from './upstream-refusal.ts'

/** A version is short; whatever is longer is none. */
const MAX_ANSWER_LENGTH = 10_000

/**
 * Asks an upstream what it calls its version: the least that it can be asked, and nobody has to be signed in.
 *
 * @throws {UpstreamTimeout} Nothing came in time.
 * @throws {Refusal} `upstream_answer_refused`: no InvokeAI answers so.
 */
export async function askVersion(
  upstream: Upstream,
  { patienceMs, signal }: { patienceMs: number; signal: AbortSignal },
): Promise<string> {
  const inTime = AbortSignal.timeout(patienceMs)
  const request = upstream.open({
    method: 'GET',
    path: getVersion.path,
    headers: {
      accept: 'application/json',
      'accept-encoding': 'identity',
      host: upstream.host,
    },
    pool: 'probe',
    signal: AbortSignal.any([inTime, signal]),
  })
  request.end()
  try {
    const answer = await answerTo(request, patienceMs)
    let text = ''
    for await (const piece of answer.setEncoding('utf8')) {
      text += piece
      if (text.length > MAX_ANSWER_LENGTH) break
    }
    return versionIn(text, upstream.address.origin)
  } catch (error) {
    throw inTime.aborted ? new UpstreamTimeout(patienceMs) : error
  }
}

function versionIn(text: string, origin: string): string {
  try {
    const { version } = JSON.parse(text) as { version?: unknown }
    if (typeof version === 'string' && /^\d[\w.+-]{0,60}$/.test(version)) return version
  } catch {
    // A page, or something else that is no JSON.
  }
  const said = `What answers at ${origin} is no InvokeAI. Look at --upstream.`
  throw new Refusal('upstream_answer_refused', said)
}
