/** The one server that is passed on to. */
export interface UpstreamAddress {
  /** As a browser shows it, without a slash at the end: `http://192.168.1.5:9090`. */
  readonly origin: string
  readonly isSecure: boolean
  /** A name or an address, without brackets. */
  readonly hostName: string
  readonly port: number
}

/** An address that cannot be an upstream. Its message says why, in one sentence. */
export class InvalidUpstreamError extends Error {
  override readonly name = 'InvalidUpstreamError'
}

/**
 * Reads where the upstream is: scheme, host and port, and nothing else.
 *
 * @throws {InvalidUpstreamError} It is no such address.
 */
export function readUpstreamAddress(text: string): UpstreamAddress {
  if (!/^https?:\/\/[^/\\]/i.test(text)) refuse('begins with http:// or https://')
  if (/[\s\\]/.test(text) || !URL.canParse(text)) refuse('is an address such as a browser takes')
  const { origin, protocol, hostname, port, pathname, username, password } = new URL(text)
  if (username !== '' || password !== '' || text.includes('@')) {
    refuse('holds no name and password: people log in on the page')
  }
  if (pathname !== '/') refuse('has no path: InvokeAI answers at the root of its address')
  if (/[?#]/.test(text)) refuse('has no "?" and no "#"')
  if (port === '0') refuse('has a port that can be connected to')
  const isSecure = protocol === 'https:'
  return {
    origin,
    isSecure,
    hostName: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port) || (isSecure ? 443 : 80),
  }
}

function refuse(rule: string): never {
  throw new InvalidUpstreamError(`The upstream ${rule}, such as http://127.0.0.1:9090.`)
}
