import { type Operation, pathOf } from '#contract/operation.ts'

type Query = Readonly<Record<string, unknown>>

/** A query as it travels: arrays by repeated keys, null and undefined left out (wire 0). */
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
 * Whether a path parameter stays the segment it is. `..` would climb to another path, escaped or not,
 * and an empty one would name the collection.
 */
export const isSegment = (value: string | number): boolean => !['', '.', '..'].includes(`${value}`)

/** The whole address of an operation. `baseUrl` may be empty: relative to the page. */
export const addressOf = (
  baseUrl: string,
  operation: Operation,
  input: { params?: Record<string, string | number> | undefined; query?: Query | undefined } = {},
): string =>
  `${baseUrl.replace(/\/+$/, '')}${pathOf(operation, input.params)}${queryOf(input.query)}`

/** The whole address of what a record names relative to the server. */
export const relativeAddress = (baseUrl: string, path: string): string =>
  `${baseUrl.replace(/\/+$/, '')}/${path.replace(/^\/+/, '')}`
