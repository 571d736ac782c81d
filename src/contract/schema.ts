import Type, { type TSchema } from 'typebox'

/**
 * Schema of a field that is always sent and may be `null`.
 *
 * A union with Null and not the OpenAPI 3.0 keyword `nullable`, which has no meaning in a 3.1 document.
 */
export const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])

/** A point in time: `YYYY-MM-DD HH:MM:SS.mmm`, UTC, without a time zone. */
export const Timestamp = Type.String({
  description: 'UTC, as `YYYY-MM-DD HH:MM:SS.mmm`',
  examples: ['2026-11-21 07:32:39.125'],
})

/** Image names of a bulk request. Duplicates are merged; the order is not preserved. */
export const ImageNames = Type.Array(Type.String(), { description: 'Names exactly as listed' })
