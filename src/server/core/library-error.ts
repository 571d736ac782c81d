/** The library is there and cannot be opened. The message says why, to the person who started the server. */
export class LibraryError extends Error {
  override readonly name = 'LibraryError'
}
