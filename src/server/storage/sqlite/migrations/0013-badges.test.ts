import { type Kysely, sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { unreadMetadata } from '#server/storage/metadata/read-embedded-metadata.ts'
import { openDatabase } from '#server/storage/sqlite/open-database.ts'
import { openRecords } from '#server/storage/sqlite/open-records.ts'
import { addAll, everything, newImage } from '#testing/ports/new-image.ts'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'
import { badges } from './0013-badges.ts'

const made = (generator: 'a1111' | 'camera' | null, prompt = '') => ({
  metadata: {
    normal: { ...unreadMetadata.normal, loras: [], raw: {}, generator, prompt } as never,
  },
})

test('fills in the generators of an older library, but not which images are animated', async () => {
  const dataFolder = await createTemporaryFolder()
  onTestFinished(() => removeFolder(dataFolder))
  const before = await openRecords({ dataFolder })
  await addAll(
    before,
    newImage('a.png', made('a1111')),
    newImage('b.png', { ...made('camera'), is_animated: true }),
    newImage('c.png', { metadata: { invokeai: '{}' } }),
    newImage('d.png', made(null, '"generator":"comfyui"')),
    newImage('e.png'),
  )
  await before.close()

  const db = openDatabase(`${dataFolder}/tessera.db`, { readonly: false })
  await sql`ALTER TABLE images DROP COLUMN is_animated`.execute(db)
  await sql`ALTER TABLE images DROP COLUMN generator`.execute(db)
  const shares: number[] = []
  await badges.up(db as Kysely<unknown>, (share) => shares.push(share))
  await db.destroy()

  const after = await openRecords({ dataFolder })
  onTestFinished(() => after.close())
  const page = await after.images.page(
    { ...everything, orderBy: 'name', orderDir: 'ASC' },
    { offset: 0, limit: 10 },
  )
  expect(page?.items.map(({ generator }) => generator)).toEqual([
    'a1111',
    'camera',
    'invokeai',
    null,
    null,
  ])
  expect(page?.items.map(({ is_animated }) => is_animated)).toEqual(Array(5).fill(null))
  expect(shares).toEqual([1])
})
