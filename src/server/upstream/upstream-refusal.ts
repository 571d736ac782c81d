import { Refusal } from '#server/core/refusal.ts'

/** The upstream sent nothing for `silentMs`. */
export class UpstreamTimeout extends Error {
  override readonly name = 'UpstreamTimeout'
  readonly silentMs: number
  /** True if the upstream may still carry out the change. */
  readonly mayHappen: boolean

  constructor(silentMs: number, { mayHappen = false } = {}) {
    super(`no answer within ${silentMs} ms`)
    this.silentMs = silentMs
    this.mayHappen = mayHappen
  }
}

/** Remedies for connection errors, by error code. */
const remedies: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing is running there. Start InvokeAI; the gallery then goes on by itself.',
  ENOTFOUND: 'there is no machine of this name. Look at --upstream and at the network.',
  EAI_AGAIN: 'the name cannot be looked up now. Look at the network.',
  EHOSTUNREACH: 'the machine cannot be reached. Look whether it is on and in this network.',
  ENETUNREACH: 'its network cannot be reached from here. Look at the network.',
  ETIMEDOUT: 'the machine does not answer. Look whether it is on and lets connections in.',
  ECONNRESET: 'it hung up in the middle. Look into its log, then try again.',
  EPIPE: 'it hung up in the middle. Look into its log, then try again.',
  ERR_STREAM_PREMATURE_CLOSE: 'it hung up in the middle. Look into its log, then try again.',
}

const codeOf = (error: unknown): string => {
  if (error instanceof AggregateError) return codeOf(error.errors[0])
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

function remedyFor(error: unknown): string {
  const code = codeOf(error)
  const known = remedies[code]
  if (known !== undefined) return known
  if (code.startsWith('HPE_')) return 'what it answers is not HTTP. Look at --upstream.'
  if (code === 'EPROTO' || code.startsWith('ERR_SSL_')) {
    return 'it does not speak https. Try http:// in --upstream.'
  }
  if (/CERT|TLS|ISSUER/.test(code)) {
    return `its certificate is not trusted (${code}). Name the authority in NODE_EXTRA_CA_CERTS and start Tessera again.`
  }
  return `it cannot be reached (${code || 'no reason is known'}).`
}

/** Errors of an interrupted response. Streams report the second one if it was interrupted before they were read. */
const brokenOff: ReadonlySet<string> = new Set(['ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE'])

/** Converts the error of an interrupted or timed-out response to a refusal. Returns any other error unchanged. */
export const asUpstreamRefusal = (origin: string, error: unknown): unknown =>
  error instanceof UpstreamTimeout || brokenOff.has(codeOf(error))
    ? upstreamRefusal(origin, error)
    : error

export function upstreamRefusal(origin: string, error: unknown): Refusal {
  if (error instanceof Refusal) return error
  const cause = { cause: error }
  if (error instanceof UpstreamTimeout) {
    const seconds = Math.max(1, Math.round(error.silentMs / 1000))
    const outcome = error.mayHappen ? ' It may still carry out this change.' : ''
    const detail = `InvokeAI at ${origin} took too long: it sent nothing for ${seconds} s.${outcome} It may be loading a model. Wait, then try again.`
    return new Refusal('upstream_timeout', detail, cause)
  }
  return new Refusal('upstream_down', `InvokeAI at ${origin}: ${remedyFor(error)}`, cause)
}
