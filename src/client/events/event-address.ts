/**
 * Where a server's events are. `baseUrl` may be empty: the server that the page came from.
 *
 * @param path - Such as `/ws`.
 * @returns `origin` by http, and the path on it, behind what the base has of its own.
 */
export function eventAddress(baseUrl: string, path: string): { origin: string; pathname: string } {
  const base = new URL(baseUrl || '/', globalThis.location?.href)
  return { origin: base.origin, pathname: `${base.pathname.replace(/\/+$/, '')}${path}` }
}
