import { sql } from 'kysely'
import type { NamedItem } from '#contract/downloads/name-pattern.ts'
import { UNCATEGORIZED } from '#server/storage/sql/tables.ts'

const nameIn = (column: 'model' | 'sampler') =>
  sql<string | null>`(SELECT value FROM property_values
    WHERE property_values.id = ${sql.ref(`image_properties.${column}`)})`.as(column)

/** Columns of `NamedItem` in `images` joined with `boards` and, if there are any, `image_properties`. */
export const namedColumns = [
  ...(['images.image_name', 'images.file_name', 'images.media_type', 'images.dated_at'] as const),
  ...(['images.width', 'images.height', 'images.rating', 'images.generator'] as const),
  ...(['image_properties.seed', 'image_properties.steps', 'image_properties.cfg'] as const),
  sql<string | null>`CASE WHEN images.board = ${sql.lit(UNCATEGORIZED)} THEN NULL
    ELSE boards.board_name END`.as('board_name'),
  nameIn('model'),
  nameIn('sampler'),
] as const

export const namedItemOf = ({ cfg, ...row }: NamedItem): NamedItem => ({
  ...row,
  cfg: cfg === null ? null : cfg / 1000,
})
