import { sql } from 'kysely'
import type { ImageWorkflow, NamedMetadata, NormalMetadata } from '#contract/metadata.ts'
import type { EmbeddedMetadata } from '#server/core/image-ports.ts'
import type { Db } from '#server/storage/sqlite/tables.ts'
import { each } from './named-images.ts'

/** null: no such image. Most images embed something; where none does, every member is null. */
export const getMetadata = async (db: Db, imageName: string): Promise<EmbeddedMetadata | null> => {
  const row = await selectMetadata(db, imageName)
  if (row === undefined) return null
  return {
    invokeai: row.invokeai,
    normal: normalOf(row.normal),
    workflow: row.workflow,
    graph: row.graph,
  }
}

/** The normal form of each named image, with an empty `raw`. Unknown names are left out. */
export const listMetadata = async (
  db: Db,
  imageNames: readonly string[],
): Promise<NamedMetadata[]> => {
  const rows = await db
    .selectFrom('images')
    .leftJoin('image_metadata', 'image_metadata.image', 'images.id')
    .select('image_name')
    // SQLite drops `raw`, which may be megabytes: only the short fields cross to the main thread.
    .select(sql<string | null>`json_set(normal, '$.raw', json('{}'))`.as('normal'))
    .where('image_name', 'in', each(imageNames))
    .execute()
  return rows.map(({ image_name, normal }) => ({ image_name, metadata: normalOf(normal) }))
}

/** null: no such image. */
export const getWorkflow = async (db: Db, imageName: string): Promise<ImageWorkflow | null> => {
  const row = await selectMetadata(db, imageName)
  return row === undefined ? null : { workflow: row.workflow, graph: row.graph }
}

const selectMetadata = (db: Db, imageName: string) =>
  db
    .selectFrom('images')
    .leftJoin('image_metadata', 'image_metadata.image', 'images.id')
    .select(['invokeai', 'normal', 'workflow', 'graph'])
    .where('image_name', '=', imageName)
    .executeTakeFirst()

/** What addImage wrote. */
const normalOf = (json: string | null): NormalMetadata | null =>
  json === null ? null : JSON.parse(json)
