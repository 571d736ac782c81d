/**
 * Returns the address of a server's events. An empty `baseUrl` means the server of the page.
 *
 * @param path - Such as `/ws`.
 * @returns `origin` with an HTTP scheme, and `pathname`, which includes the path of `baseUrl`.
 */
export function eventAddress(baseUrl: string, path: string): { origin: string; pathname: string } {
  const base = new URL(baseUrl || '/', globalThis.location?.href)
  return { origin: base.origin, pathname: `${base.pathname.replace(/\/+$/, '')}${path}` }
}
