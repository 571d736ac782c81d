import { sql } from 'kysely'
import type { Db } from '#server/storage/sql/tables.ts'

/** The columns of a table, to recognise its rows by. */
export interface TableShape {
  name: string
  columns: readonly {
    name: string
    type: string
    isRequired: boolean
    /** True: the value is the rowid, and the row stores null instead. */
    isRowid: boolean
  }[]
}

/** Counts, logs, search and properties are made again from the other tables. */
const MADE_AGAIN =
  /^(?:image_counts|image_properties|image_loras|property_values|queue_counts|image_changes|library_changes|kysely_migration_lock|sqlite_\w+)$/

interface Column {
  tableName: string
  withoutRowid: 0 | 1
  name: string
  type: string
  notnull: 0 | 1
  fallback: string | null
  pk: number
}

/** Returns the tables of a library whose rows cannot be made from others. */
export const shapesOf = async (db: Db): Promise<TableShape[]> => {
  const { rows } = await sql<Column>`
    SELECT of.name AS tableName, of.wr AS withoutRowid, at.name, at.type, at."notnull",
      at.dflt_value AS fallback, at.pk
    FROM pragma_table_list AS of, pragma_table_info(of.name) AS at
    WHERE of.schema = 'main' AND of.type = 'table' ORDER BY of.name, at.cid`.execute(db)
  const tables = Map.groupBy(rows, ({ tableName }) => tableName)
  return [...tables].flatMap(([name, columns]) =>
    MADE_AGAIN.test(name) ? [] : [{ name, columns: columns.map(columnOf) }],
  )
}

const columnOf = ({ name, type, notnull, fallback, pk, withoutRowid }: Column) => ({
  name,
  type: type.toUpperCase(),
  isRequired: notnull === 1 && fallback === null,
  isRowid: pk === 1 && type.toUpperCase() === 'INTEGER' && withoutRowid === 0,
})
