import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * The log of changed images also stores the previous board, kind and star of each image. They are null if the image
 * was in no view before: new, or in the trash. A reader that counts images can then tell which counts a change
 * affects.
 */
export const previousPlaces: Migration = {
  async up(db) {
    for (const statement of statements) await sql.raw(statement).execute(db as Kysely<unknown>)
  },
}

const ofLive = (column: string) => `CASE WHEN OLD.deleted_at IS NULL THEN OLD.${column} END`
const previous = ['board', 'is_intermediate', 'starred'].map(ofLive).join(', ')

const logged = (image: string) =>
  `BEGIN INSERT INTO image_changes (image, is_new, board, is_intermediate, starred)
    VALUES (${image}, 0, ${previous}); END`

const statements = [
  `ALTER TABLE image_changes ADD COLUMN board INTEGER`,
  `ALTER TABLE image_changes ADD COLUMN is_intermediate INTEGER`,
  `ALTER TABLE image_changes ADD COLUMN starred INTEGER`,
  // The cache of an earlier run is gone, so no reader needs these entries.
  `DELETE FROM image_changes`,
  `DROP TRIGGER image_change_removed`,
  `DROP TRIGGER image_change_updated`,
  // The key of a removed image can be reused, so its entry has the negative key.
  `CREATE TRIGGER image_change_removed AFTER DELETE ON images ${logged('-OLD.id')}`,
  `CREATE TRIGGER image_change_updated
    AFTER UPDATE OF board, category, is_intermediate, starred, deleted_at ON images
    ${logged('NEW.id')}`,
]
