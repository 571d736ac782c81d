import type { ImageWorkflow, NormalMetadata } from '#contract/metadata.ts'
import type { EmbeddedMetadata } from '#server/core/image-ports.ts'
import type { Db } from '#server/storage/sqlite/tables.ts'

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
