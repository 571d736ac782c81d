/** A value without the keys that are null, at any depth (wire 0, nulls). Nulls in lists stay. */
export function withoutNulls<T>(value: T): T {
  return strip(value) as T
}

const strip = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(strip)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) => (inner === null ? [] : [[key, strip(inner)]])),
  )
}
