import { type Kysely, sql } from 'kysely'
import { expect, inject, onTestFinished, test } from 'vitest'
import { openPostgresRecords } from '#server/storage/postgres/open-records.ts'
import { createDatabase } from '#testing/engines/postgres-server.ts'
import { addAll, namesIn, newImage } from '#testing/ports/new-image.ts'
import { signsInTagKeys } from './0021-signs-in-tag-keys.ts'

test('adds signs to the keys of tags of an older library', async () => {
  const records = await openPostgresRecords({ url: await createDatabase(inject('postgresUrl')) })
  onTestFinished(() => records.close())
  const { db } = records
  await addAll(records, newImage('a.png', { tags: ['C#', 'keep'] }))
  await sql`UPDATE tags SET name_key = 'c' WHERE name = 'C#'`.execute(db)

  await signsInTagKeys.up(db as unknown as Kysely<unknown>)

  await records.tags.apply(['a.png'], { add: ['c', 'c#'], remove: [] }, { maxTags: 9 })
  expect((await records.images.get('a.png'))?.tags).toEqual(['c', 'C#', 'keep'])
  expect(await namesIn(records, { query: 'tag=c#' })).toEqual(['a.png'])
})

test('merges tags of signs that are one tag now', async () => {
  const records = await openPostgresRecords({ url: await createDatabase(inject('postgresUrl')) })
  onTestFinished(() => records.close())
  const { db } = records
  await addAll(
    records,
    newImage('a.png', { tags: ['!', '1', '2'] }),
    newImage('b.png', { tags: ['2'] }),
  )
  await sql`UPDATE tags SET name = '…', name_key = '…' WHERE name = '1'`.execute(db)
  await sql`UPDATE tags SET name = '...', name_key = '...', color = 'red' WHERE name = '2'`.execute(
    db,
  )

  await signsInTagKeys.up(db as unknown as Kysely<unknown>)

  expect(await records.tags.list()).toMatchObject([
    { name: '!', count: 1, color: null },
    { name: '…', count: 2, color: 'red' },
  ])
})
