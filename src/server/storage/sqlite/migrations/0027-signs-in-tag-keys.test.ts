import { type Kysely, sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '#server/storage/sqlite/open-database.ts'
import { openRecords } from '#server/storage/sqlite/open-records.ts'
import { addAll, namesIn, newImage } from '#testing/ports/new-image.ts'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'
import { signsInTagKeys } from './0027-signs-in-tag-keys.ts'

test('adds signs to the keys of tags of an older library', async () => {
  const dataFolder = await createTemporaryFolder()
  onTestFinished(() => removeFolder(dataFolder))
  const before = await openRecords({ dataFolder })
  await addAll(before, newImage('a.png', { tags: ['C#', 'keep'] }))
  await before.close()

  const db = openDatabase(`${dataFolder}/tessera.db`, { readonly: false })
  await sql`UPDATE tags SET name_key = 'c' WHERE name = 'C#'`.execute(db)
  await signsInTagKeys.up(db as Kysely<unknown>)
  await db.destroy()

  const after = await openRecords({ dataFolder })
  onTestFinished(() => after.close())
  await after.tags.apply(['a.png'], { add: ['c', 'c#'], remove: [] }, { maxTags: 9 })
  expect((await after.images.get('a.png'))?.tags).toEqual(['c', 'C#', 'keep'])
  expect(await namesIn(after, { query: 'tag=c#' })).toEqual(['a.png'])
})

test('merges tags of signs that are one tag now', async () => {
  const dataFolder = await createTemporaryFolder()
  onTestFinished(() => removeFolder(dataFolder))
  const before = await openRecords({ dataFolder })
  await addAll(
    before,
    newImage('a.png', { tags: ['!', '1', '2'] }),
    newImage('b.png', { tags: ['2'] }),
  )
  await before.close()

  const db = openDatabase(`${dataFolder}/tessera.db`, { readonly: false })
  await sql`UPDATE tags SET name = '…', name_key = '…' WHERE name = '1'`.execute(db)
  await sql`UPDATE tags SET name = '...', name_key = '...', color = 'red' WHERE name = '2'`.execute(
    db,
  )
  await signsInTagKeys.up(db as Kysely<unknown>)
  await db.destroy()

  const after = await openRecords({ dataFolder })
  onTestFinished(() => after.close())
  expect(await after.tags.list()).toMatchObject([
    { name: '!', count: 1, color: null },
    { name: '…', count: 2, color: 'red' },
  ])
})
