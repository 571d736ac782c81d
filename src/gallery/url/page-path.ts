/** Returns the path of the page, with a slash at its end. It is not `/` if a proxy serves the page below a base path. */
export function pagePath(): string {
  const base = globalThis.document?.querySelector('base')
  return base ? new URL(base.href).pathname : '/'
}

/** True if the address of the page is not the page itself, but a path that does not exist. */
export function isUnknownPath(): boolean {
  const { pathname } = window.location
  return (
    ![pagePath(), `${pagePath()}index.html`].includes(pathname) && `${pathname}/` !== pagePath()
  )
}
