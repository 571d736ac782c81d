import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * The images that each of the latest revisions changed, so that a cached search result can be updated instead of
 * computed again. `image` is NULL if a revision changed too many, or the name of a board, which is searched too.
 */
export const imageChanges: Migration = {
  async up(db) {
    for (const statement of statements) await sql.raw(statement).execute(db as Kysely<unknown>)
  },
}

/** More changes in one statement are not listed: reading them would take as long as a new search. */
const MAX_LISTED = 200

/** Revisions whose changes are kept. */
const KEPT_REVISIONS = 1000

/** A transaction increments the revision at its end. */
const NEXT_REVISION = '(SELECT n + 1 FROM library_revision)'

const listed = (rows: string, id: string) => `
  IF NOT EXISTS (SELECT 1 FROM ${rows}) THEN RETURN NULL; END IF;
  IF (SELECT count(*) FROM ${rows}) > ${MAX_LISTED} THEN
    INSERT INTO image_changes VALUES (${NEXT_REVISION}, NULL);
  ELSE
    INSERT INTO image_changes SELECT ${NEXT_REVISION}, ${id} FROM ${rows};
  END IF;
  IF ${NEXT_REVISION} % 100 = 0 THEN
    DELETE FROM image_changes WHERE revision < ${NEXT_REVISION} - ${KEPT_REVISIONS};
  END IF;`

const trigger = (
  table: string,
  event: 'INSERT' | 'UPDATE' | 'DELETE',
  body: (rows: string) => string,
) => {
  const rows = event === 'INSERT' ? 'new_rows' : 'old_rows'
  const kind = event === 'INSERT' ? 'NEW' : 'OLD'
  const name = `log_${event.toLowerCase()}_of_${table}`
  return [
    `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql SET plan_cache_mode = auto AS $$
      BEGIN ${body(rows)} RETURN NULL; END $$`,
    `CREATE TRIGGER ${name} AFTER ${event} ON ${table} REFERENCING ${kind} TABLE AS ${rows}
      FOR EACH STATEMENT EXECUTE FUNCTION ${name}()`,
  ]
}

const statements = [
  `CREATE TABLE image_changes (revision bigint NOT NULL, image bigint)`,
  `CREATE INDEX image_changes_by_revision ON image_changes (revision)`,
  // A new image is listed with its words, which are inserted last. They are deleted with the image, row by row.
  ...trigger('images', 'UPDATE', (rows) => listed(rows, 'id')),
  ...trigger('images', 'DELETE', (rows) => listed(rows, 'id')),
  ...trigger('image_search', 'INSERT', (rows) => listed(rows, 'image')),
  ...trigger('image_search', 'UPDATE', (rows) => listed(rows, 'image')),
  ...(['INSERT', 'UPDATE', 'DELETE'] as const).flatMap((event) =>
    trigger(
      'board_search',
      event,
      () => `INSERT INTO image_changes VALUES (${NEXT_REVISION}, NULL);`,
    ),
  ),
]
