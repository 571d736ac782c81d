import { join } from 'node:path'
import type { Kysely } from 'kysely'
import { expect, inject, onTestFinished, test } from 'vitest'
import { openPostgresRecords } from '#server/storage/postgres/open-records.ts'
import { migrate } from '#server/storage/sqlite/migrate.ts'
import { openDatabase } from '#server/storage/sqlite/open-database.ts'
import { createDatabase } from '#testing/engines/postgres-server.ts'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'
import { columnsOf, copiedTables } from './library-rows.ts'

/** Tables that are not copied, because their content follows from other tables or is of no use elsewhere. */
const notCopied = [
  /^(?:image|queue)_counts$|^order_buckets$/, // by triggers
  /^queue_(?:claims|processors)$/, // of running processes
  /^(?:images|boards)_fts|^(?:image|board)_search$/, // the search index
  /^image_(?:properties|loras)$|^property_values$/, // from the metadata
  /^image_changes$|^library_revision$/, // for caches of a running server
  /^library_changes$/, // clients read a copied library again
  /^pending_files$/, // objects of uploads that were not finished
  /^kysely_migration|^sqlite_/,
]

/** Columns that only one database has, and that get their default value. */
const inOneDatabase: readonly string[] = []

test('copies every table and every column', async () => {
  const folder = await createTemporaryFolder()
  const sqlite = openDatabase(join(folder, 'tessera.db'), { readonly: false })
  await migrate(sqlite as unknown as Kysely<unknown>)
  const postgres = await openPostgresRecords({ url: await createDatabase(inject('postgresUrl')) })
  onTestFinished(async () => {
    await Promise.all([sqlite.destroy(), postgres.close()])
    await removeFolder(folder)
  })

  const namesOf = async (db: typeof sqlite) => {
    const tables = [...(await columnsOf(db))].filter(
      ([table]) => !notCopied.some((name) => name.test(table)),
    )
    const names = tables.flatMap(([table, columns]) => columns.map((name) => `${table}.${name}`))
    return { tables: tables.map(([table]) => table).sort(), names }
  }
  const [one, other] = [await namesOf(sqlite), await namesOf(postgres.db)]

  const copied = copiedTables.map(({ table }) => table).sort()
  expect([one.tables, other.tables]).toEqual([copied, copied])
  const all = [...new Set([...one.names, ...other.names])]
  expect(all.filter((name) => !one.names.includes(name) || !other.names.includes(name))).toEqual(
    inOneDatabase,
  )
})
