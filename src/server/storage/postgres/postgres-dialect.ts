import {
  type KyselyPlugin,
  OperationNodeTransformer,
  PostgresAdapter,
  PostgresDialect,
  type PrimitiveValueListNode,
  sql,
  type ValueNode,
} from 'kysely'
import type { AdapterWithDialect, SqlDialect } from '#server/storage/sql/dialect.ts'
import { splitCjk } from '#server/storage/sql/search/parse-query.ts'
import { queueClaims } from './queue-claims.ts'
import { imageVectorOf, vectorOf } from './search-vector.ts'

const types = { integer: 'bigint', text: 'text' } as const

const postgresSql: SqlDialect = {
  // As a subquery, the values would be joined. The join reads the whole table for each value while the statistics
  // are older than most rows, such as after a large import.
  isOneOf: (column, values) => {
    if (values.length === 0) return sql`FALSE`
    const type = typeof values[0] === 'number' ? 'bigint' : 'text'
    return sql`${sql.ref(column)} = ANY(${values}::${sql.raw(type)}[])`
  },
  areBytesIn: (bytes, hexadecimal) =>
    sql`${bytes} = ANY(ARRAY(SELECT decode(given, 'hex') FROM unnest(${hexadecimal}::text[]) AS given))`,
  rows: (columnTypes, rows) => {
    const columns = columnTypes.map(
      (type, at) =>
        sql`(value ->> ${sql.lit(at)})::${sql.raw(types[type])} AS ${sql.ref(`c${at}`)}`,
    )
    return sql`(SELECT ${sql.join(columns)}, at
      FROM json_array_elements(${JSON.stringify(rows)}::json) WITH ORDINALITY AS given (value, at))`
  },
  indexedBy: () => sql``,
  unindexed: <T>(column: string) => sql<T>`${sql.ref(column)}`,
  ignoringCase: (column) => sql`lower(${sql.ref(column)} COLLATE "C")`,
  // PostgreSQL does not merge the queries by their indexes: it would read all rows to sort them.
  union: (queries, { order, limit }, offset) => {
    const most = Math.min(limit + offset, Number.MAX_SAFE_INTEGER)
    const first = queries.map((query) => sql`(${query} ORDER BY ${order} LIMIT ${most})`)
    return sql`SELECT * FROM (${sql.join(first, sql` UNION ALL `)}) AS ranges`
  },
  jsonArray: (column) => sql`coalesce(json_agg(${sql.ref(column)})::text, '[]')`,
  bytesOfText: (text) => sql`convert_to(${text}, 'UTF8')`,
  workflowJson: sql`json_build_object('workflow', workflow, 'graph', graph)::text`,
  withoutRaw: sql`(
    SELECT json_object_agg(key, CASE WHEN key = 'raw' THEN '{}'::json ELSE value END)::text
    FROM json_each(normal::json))`,
  promptText: sql`CASE WHEN normal IS NULL
    THEN invokeai::json ->> 'positive_prompt' ELSE normal::json ->> 'prompt' END`,
  rawNames: sql`coalesce(
    (SELECT json_agg(name)::text FROM json_object_keys(normal::json -> 'raw') AS name), '[]')`,
  joined: (column) => sql`string_agg(${sql.ref(column)}::text, ',')`,
  packedIds: (column) => sql`string_agg(int4send(${sql.ref(column)}::int), '')`,
  indexImages: async (db, words) => {
    const rows = words.map(({ id, ...texts }) => [id, imageVectorOf(texts)])
    await sql`
      INSERT INTO image_search (image, words)
      SELECT c0, c1::tsvector FROM ${postgresSql.rows(['integer', 'text'], rows)} AS given
      ON CONFLICT (image) DO UPDATE SET words = excluded.words`.execute(db)
  },
  // New words replace the old ones, and a trigger logs it.
  unindexImages: async () => {},
  logReread: async () => {},
  rawMember: (name) => sql`(normal::json -> 'raw' -> ${sql.lit(name)})::text`,
  indexBoard: async (db, board, boardName) => {
    await sql`DELETE FROM board_search WHERE board = ${board}`.execute(db)
    if (boardName === null) return
    const words = vectorOf(splitCjk(boardName))
    await sql`INSERT INTO board_search VALUES (${board}, ${words}::tsvector)`.execute(db)
  },
  clearSearch: async (db) => {
    await sql`DELETE FROM image_search`.execute(db)
    await sql`DELETE FROM board_search`.execute(db)
  },
  claims: queueClaims,
}

class Adapter extends PostgresAdapter implements AdapterWithDialect {
  readonly sqlDialect = postgresSql
}

export class LibraryDialect extends PostgresDialect {
  override createAdapter() {
    return new Adapter()
  }
}

/** PostgreSQL stores no NUL in texts. It is replaced, so that no image is refused because of its metadata. */
class NulReplacer extends OperationNodeTransformer {
  protected override transformValue(node: ValueNode): ValueNode {
    return { ...node, value: withoutNul(node.value) }
  }

  protected override transformPrimitiveValueList(
    node: PrimitiveValueListNode,
  ): PrimitiveValueListNode {
    return { ...node, values: node.values.map(withoutNul) }
  }
}

const withoutNul = (value: unknown): unknown => {
  if (typeof value === 'string') return value.replaceAll('\0', '\uFFFD')
  return Array.isArray(value) ? value.map(withoutNul) : value
}

const replacer = new NulReplacer()

export const replacingNul: KyselyPlugin = {
  transformQuery: ({ node }) => replacer.transformNode(node),
  transformResult: async ({ result }) => result,
}
