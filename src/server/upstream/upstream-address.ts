export interface UpstreamAddress {
  /** As a browser shows it, without a trailing slash: `http://192.168.1.5:9090`. */
  readonly origin: string
  readonly isSecure: boolean
  /** A host name or an IP address without brackets. */
  readonly hostName: string
  readonly port: number
}

/** The text is not a valid upstream. The message states the reason in one sentence. */
export class InvalidUpstreamError extends Error {
  override readonly name = 'InvalidUpstreamError'
}

/** @throws {InvalidUpstreamError} The text is not a scheme, a host and a port. */
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
