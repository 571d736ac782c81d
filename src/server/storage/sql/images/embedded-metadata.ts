import { sql } from 'kysely'
import type { NormalMetadata } from '#contract/metadata.ts'
import type { EmbeddedText } from '#server/core/images/image-ports.ts'
import { dialectOf, isOneOf } from '#server/storage/sql/dialect.ts'
import type { Db } from '#server/storage/sql/tables.ts'
import type { Read } from '#server/storage/sql/unit-types.ts'

/** null: no such image. For an image without embedded metadata, every member is null. */
export const getMetadata: Read<'images.metadata'> = async (db, imageName) => {
  const row = await selectWithMetadata(db)
    .select(['invokeai', 'normal', 'workflow', 'graph'])
    .where('image_name', '=', imageName)
    .executeTakeFirst()
  return row === undefined ? null : { ...row, normal: normalOf(row.normal) }
}

export const listMetadata: Read<'images.listMetadata'> = async (db, imageNames) => {
  const rows = await selectWithMetadata(db)
    .select('image_name')
    // The database drops `raw`, which may be megabytes, so that only the short fields are transferred.
    .select(dialectOf(db).withoutRaw.as('normal'))
    .where(isOneOf(db, 'image_name', imageNames))
    .execute()
  return rows.map(({ image_name, normal }) => ({ image_name, metadata: normalOf(normal) }))
}

export const getEmbeddedTexts: Read<'images.embeddedTexts'> = async (db, imageName) => {
  const row = await selectWithMetadata(db)
    .select(sql<number>`CASE WHEN invokeai IS NULL THEN 0 ELSE 1 END`.as('has_invokeai'))
    .select(dialectOf(db).rawNames.as('names'))
    .where('image_name', '=', imageName)
    .executeTakeFirst()
  if (row === undefined) return null
  return { hasInvokeai: row.has_invokeai === 1, rawNames: JSON.parse(row.names) }
}

/** A part of a text in UTF-8, and the size of the whole text. */
export interface JsonPiece {
  bytes: number
  piece: Uint8Array
}

/** Each piece reads the whole text from the database, so that only one piece is held in memory. */
const PIECE_BYTES = 1024 * 1024

/** Reads the piece of a text that begins at byte `from`. null: no such image. */
export const getJsonPiece = async (db: Db, imageName: string, text: EmbeddedText, from: number) => {
  const { rows } = await sql<JsonPiece>`
    SELECT length(json) AS bytes, substr(json, ${from + 1}, ${PIECE_BYTES}) AS piece FROM (
      SELECT ${jsonBytes(db, text)} AS json
      FROM images LEFT JOIN image_metadata ON image_metadata.image = images.id
      WHERE image_name = ${imageName}
    ) AS texts`.execute(db)
  return rows[0] ?? null
}

const jsonBytes = (db: Db, text: EmbeddedText) => {
  const { bytesOfText, workflowJson } = dialectOf(db)
  return bytesOfText(text === 'workflow' ? workflowJson : sql`coalesce(${sql.ref(text)}, 'null')`)
}

const selectWithMetadata = (db: Db) =>
  db.selectFrom('images').leftJoin('image_metadata', 'image_metadata.image', 'images.id')

/** Parses the JSON that `insertImages` writes. */
const normalOf = (json: string | null): NormalMetadata | null =>
  json === null ? null : JSON.parse(json)
