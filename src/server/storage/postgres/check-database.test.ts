import { Kysely } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import pg from 'pg'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import type { MigrationProgress } from '#server/storage/sql/library-migration.ts'
import { createDatabase } from '#testing/engines/postgres-server.ts'
import { everything, newImage, prompted } from '#testing/ports/new-image.ts'
import { migrations } from './migrate.ts'
import { firstLibrary } from './migrations/0001-first-library.ts'
import { openPostgresRecords, type PostgresRecords } from './open-records.ts'
import { LibraryDialect } from './postgres-dialect.ts'

let url: string
let records: PostgresRecords
let client: pg.Client

beforeEach(async () => {
  url = await createDatabase(inject('postgresUrl'))
  records = await openPostgresRecords({ url, bucketImages: 4 })
  client = new pg.Client({ connectionString: url, options: '-c search_path=tessera' })
  await client.connect()
  await records.images.addMany(
    Array.from({ length: 30 }, (_, at) => newImage(`${at}.png`, prompted('castle'))),
  )
  await records.images.addMany(Array.from({ length: 9 }, (_, at) => newImage(`${at}.mp4`)))
})

afterEach(async () => {
  await records.close()
  await client.end()
})

const kindsOfFaults = async () =>
  (await records.upkeep.checkDatabase('full')).map(({ kind, canRepair }) => [kind, canRepair])

test.each([
  ['a count', 'UPDATE image_counts SET n = n + 1'],
  ['a position', 'UPDATE order_buckets SET slot0 = slot0 + 1 WHERE ord = 2 AND scope = -1'],
  ['a video', 'UPDATE order_buckets SET slot20 = slot20 + 1 WHERE ord = 2 AND scope = -1'],
  ['a bucket', 'DELETE FROM order_buckets WHERE ord = 3 AND scope = 0 AND from_id > 0'],
])('finds and repairs %s that is wrong', async (_, statement) => {
  expect(await kindsOfFaults()).toEqual([])
  await client.query(statement)

  expect(await kindsOfFaults()).toEqual([['counters', true]])
  await records.upkeep.repairDatabase()

  expect(await kindsOfFaults()).toEqual([])
})

test('finds images that are not searched', async () => {
  await client.query('DELETE FROM image_search WHERE image IN (SELECT min(id) FROM images)')

  expect(await kindsOfFaults()).toEqual([['search', true]])
})

test('finds images on a board that does not exist', async () => {
  await client.query(`UPDATE images SET board = 99 WHERE image_name = '1.png'`)

  expect(await kindsOfFaults()).toContainEqual(['references', false])
})

/** Makes a database of an earlier version with rows of images, and returns its URL and a connection to it. */
const databaseOf = async (
  earlier: Readonly<Record<string, Migration>>,
  rows: readonly object[],
) => {
  const url = await createDatabase(inject('postgresUrl'))
  const pool = new pg.Pool({ connectionString: url, options: '-c search_path=tessera' })
  await pool.query('CREATE SCHEMA tessera')
  const db = new Kysely<unknown>({ dialect: new LibraryDialect({ pool }) })
  const provider = { getMigrations: async () => earlier }
  await new Migrator({ db, provider, migrationTableSchema: 'tessera' }).migrateToLatest()
  await pool.query('INSERT INTO images SELECT * FROM json_populate_recordset(NULL::images, $1)', [
    JSON.stringify(rows),
  ])
  return { url, pool, close: () => db.destroy() }
}

test.each([
  ['with videos', ''],
  ['without videos', 'WHERE kind = 0'],
])('counts the positions of a database %s from before they counted videos', async (_, where) => {
  const { rows } = await client.query(`SELECT * FROM images ${where}`)
  const earlier = Object.entries(migrations).filter(([name]) => name < '0013')
  const old = await databaseOf(Object.fromEntries(earlier), rows)
  await old.close()

  const migrated = await openPostgresRecords({ url: old.url, bucketImages: 4 })

  const faults = await migrated.upkeep.checkDatabase('full')
  expect(faults.map(({ kind }) => kind)).toEqual(['search'])
  await migrated.close()
})

test('counts the positions and fills in the generators of a database of an earlier version', async () => {
  const { rows } = await client.query(
    'SELECT *, kind AS is_intermediate FROM images WHERE kind = 0',
  )
  const old = await databaseOf({ '0001-first-library': firstLibrary }, rows)
  await old.pool.query(`
    INSERT INTO image_metadata (image, normal)
    SELECT id, '{"prompt":"\\"generator\\":\\"comfyui\\"","generator":"a1111","raw":{}}'
    FROM images WHERE image_name = '15.png'`)
  await old.close()

  const reported: MigrationProgress[] = []
  const onMigration = (progress: MigrationProgress) => void reported.push(progress)
  const migrated = await openPostgresRecords({ url: old.url, bucketImages: 4, onMigration })

  const steps = Object.keys(migrations).length - 1
  expect(reported.map(({ step, share }) => [step, share])).toEqual(
    Array.from({ length: steps }, (_, at) => [at + 1, 0]),
  )
  const faults = await migrated.upkeep.checkDatabase('full')
  expect(faults.map(({ kind }) => kind)).toEqual(['search'])
  const page = await migrated.images.page(everything, { offset: 14, limit: 1 })
  expect(page?.items[0]).toMatchObject({
    image_name: '15.png',
    is_animated: null,
    generator: 'a1111',
  })
  await migrated.close()
})
