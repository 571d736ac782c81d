import { type Kysely, sql } from 'kysely'
import { expect, inject, onTestFinished, test } from 'vitest'
import { openPostgresRecords } from '#server/storage/postgres/open-records.ts'
import { createDatabase } from '#testing/engines/postgres-server.ts'
import { addAll, everything, newImage } from '#testing/ports/new-image.ts'
import { badges } from './0006-badges.ts'

test('fills in the generators in parts, and reports the completed share', async () => {
  const records = await openPostgresRecords({ url: await createDatabase(inject('postgresUrl')) })
  onTestFinished(() => records.close())
  const { db } = records
  await addAll(records, newImage('a.png', { metadata: { invokeai: '{}' } }))
  await sql`SELECT setval(pg_get_serial_sequence('images', 'id'), 25000)`.execute(db)
  await addAll(records, newImage('b.png', { metadata: { invokeai: '{}' } }), newImage('c.png'))
  await sql`ALTER TABLE images DROP COLUMN is_animated`.execute(db)
  await sql`ALTER TABLE images DROP COLUMN generator`.execute(db)
  const shares: number[] = []

  await badges.up(db as unknown as Kysely<unknown>, (share) => shares.push(share))

  const page = await records.images.page(
    { ...everything, orderBy: 'name', orderDir: 'ASC' },
    { offset: 0, limit: 10 },
  )
  expect(page?.items.map(({ generator }) => generator)).toEqual(['invokeai', 'invokeai', null])
  expect(shares).toEqual([20_000 / 25_002, 1])
})
