import { SqliteAdapter, SqliteDialect, sql } from 'kysely'
import type { AdapterWithDialect, SqlDialect } from '#server/storage/sql/dialect.ts'
import { getRunningItemIds } from '#server/storage/sql/queue/list-items.ts'
import { splitCjk } from '#server/storage/sql/search/parse-query.ts'

const json = (value: unknown) => JSON.stringify(value)

/** Lists are bound as one JSON value, because SQLite limits the number of bound variables. */
const sqliteSql: SqlDialect = {
  isOneOf: (column, values) =>
    sql`${sql.ref(column)} IN (SELECT value FROM json_each(${json(values)}))`,
  areBytesIn: (bytes, hexadecimal) =>
    sql`${bytes} IN (SELECT unhex(value) FROM json_each(${json(hexadecimal)}))`,
  rows: (types, rows) => {
    const columns = types.map((_, at) => sql`value ->> ${sql.lit(at)} AS ${sql.ref(`c${at}`)}`)
    return sql`(SELECT ${sql.join(columns)}, key AS at FROM json_each(${json(rows)}))`
  },
  indexedBy: (index) => sql`INDEXED BY ${sql.id(index)}`,
  unindexed: <T>(column: string) => sql<T>`+${sql.ref(column)}`,
  ignoringCase: (column) => sql`${sql.ref(column)} COLLATE NOCASE`,
  union: (queries) => sql.join(queries, sql` UNION ALL `),
  jsonArray: (column) => sql`json_group_array(${sql.ref(column)})`,
  bytesOfText: (text) => sql`CAST(${text} AS BLOB)`,
  workflowJson: sql`json_object('workflow', workflow, 'graph', graph)`,
  withoutRaw: sql`json_set(normal, '$.raw', json('{}'))`,
  promptText: sql`CASE WHEN normal IS NULL
    THEN CASE WHEN json_valid(invokeai) THEN invokeai ->> '$.positive_prompt' END
    ELSE CASE WHEN json_valid(normal) THEN normal ->> '$.prompt' END END`,
  rawNames: sql`(SELECT json_group_array(key) FROM json_each(normal, '$.raw'))`,
  joined: (column) => sql`group_concat(${sql.ref(column)})`,
  packedIds: (column) => sql`group_concat(${sql.ref(column)})`,
  indexImages: async (db, words) => {
    const rows = words.map(({ id, ...texts }) => ({ rowid: id, ...texts }))
    await db.insertInto('images_fts').values(rows).execute()
  },
  unindexImages: async (db, ids) => {
    await db.deleteFrom('images_fts').where(sqliteSql.isOneOf('rowid', ids)).execute()
  },
  logReread: async (db, ids) => {
    const ofLive = (column: string) => sql`CASE WHEN deleted_at IS NULL THEN ${sql.ref(column)} END`
    await sql`
      INSERT INTO image_changes (image, is_new, board, kind, starred)
      SELECT id, 1, ${sql.join(['board', 'kind', 'starred'].map(ofLive))}
      FROM images WHERE ${sqliteSql.isOneOf('id', ids)}`.execute(db)
  },
  rawMember: (name) =>
    sql`CASE WHEN json_valid(normal) THEN normal -> ${sql.lit(`$.raw.${name}`)} END`,
  indexBoard: async (db, board, boardName) => {
    await db.deleteFrom('boards_fts').where('rowid', '=', board).execute()
    if (boardName === null) return
    const row = { rowid: board, board_name: splitCjk(boardName) }
    await db.insertInto('boards_fts').values(row).execute()
  },
  clearSearch: async (db) => {
    await sql`INSERT INTO images_fts(images_fts) VALUES ('delete-all')`.execute(db)
    await sql`INSERT INTO boards_fts(boards_fts) VALUES ('delete-all')`.execute(db)
  },
  claims: {
    mayStart: sql`TRUE`,
    lockNext: sql``,
    add: async () => {},
    renew: async (db, itemIds) => {
      const running = new Set(await getRunningItemIds(db))
      return itemIds.filter((itemId) => running.has(itemId))
    },
    remove: async () => true,
    expire: getRunningItemIds,
  },
}

/** SQLite can roll back schema changes. Without this, kysely would leave a failed migration half-applied. */
class Adapter extends SqliteAdapter implements AdapterWithDialect {
  readonly sqlDialect = sqliteSql

  override get supportsTransactionalDdl() {
    return true
  }
}

export class LibraryDialect extends SqliteDialect {
  override createAdapter() {
    return new Adapter()
  }
}
