import { type Operation, pathOf } from '#contract/operation.ts'

type Query = Readonly<Record<string, unknown>>

/** Serializes a query: arrays become repeated keys, null and undefined are omitted. */
export const queryOf = (query: Query = {}): string => {
  const search = new URLSearchParams()
  for (const [key, value] of Object.entries(query)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== null) search.append(key, String(one))
    }
  }
  return search.size === 0 ? '' : `?${search}`
}

/**
 * Returns true if a path parameter stays a single path segment. URL parsers resolve `..` to a parent path even
 * if it is escaped, and an empty value would address the collection.
 */
export const isSegment = (value: string | number): boolean => !['', '.', '..'].includes(`${value}`)

/** Returns the URL of an operation. An empty `baseUrl` gives a path relative to the page. */
export const addressOf = (
  baseUrl: string,
  operation: Operation,
  input: { params?: Record<string, string | number> | undefined; query?: Query | undefined } = {},
): string =>
  `${baseUrl.replace(/\/+$/, '')}${pathOf(operation, input.params)}${queryOf(input.query)}`

/** Returns the URL of a path in a record, which is relative to the server. */
export const relativeAddress = (baseUrl: string, path: string): string =>
  `${baseUrl.replace(/\/+$/, '')}/${path.replace(/^\/+/, '')}`
