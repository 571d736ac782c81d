import Type, { type TSchema } from 'typebox'

/**
 * Schema of a field that is always sent and may be `null`.
 *
 * A union with Null and not the OpenAPI 3.0 keyword `nullable`, which has no meaning in a 3.1 document.
 */
export const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])

/** Schema of a page of a list. `total` counts all matching entries, not those of the page. */
export const pageOf = <T extends TSchema>(item: T) =>
  Type.Object({
    limit: Type.Integer(),
    offset: Type.Integer(),
    total: Type.Integer(),
    items: Type.Array(item),
  })

/** A point in time: `YYYY-MM-DD HH:MM:SS.mmm`, UTC, without a time zone. */
export const Timestamp = Type.String({
  description: 'UTC, as `YYYY-MM-DD HH:MM:SS.mmm`',
  examples: ['2026-11-21 07:32:39.125'],
})

/** Image names of a bulk request. Duplicates are merged; the order is not preserved. */
export const ImageNames = Type.Array(Type.String(), { description: 'Names exactly as listed' })
