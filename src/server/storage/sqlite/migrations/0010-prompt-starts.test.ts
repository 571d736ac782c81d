import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '#server/storage/sqlite/open-database.ts'
import { openRecords } from '#server/storage/sqlite/open-records.ts'
import { addAll, everything, newImage, prompted } from '#testing/ports/new-image.ts'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'
import { promptStarts } from './0010-prompt-starts.ts'

/** Removes the stored prompt starts and runs only this migration again, so that later ones do not interfere. */
async function migrateAgain(dataFolder: string): Promise<void> {
  const db = openDatabase(`${dataFolder}/tessera.db`, { readonly: false })
  await sql`ALTER TABLE images DROP COLUMN prompt_start`.execute(db)
  await sql`UPDATE image_metadata SET invokeai = 'no JSON' WHERE invokeai LIKE '%broken%'`.execute(
    db,
  )
  await promptStarts.up(db)
  await db.destroy()
}

test('fills in the prompt starts of an older library', async () => {
  const dataFolder = await createTemporaryFolder()
  onTestFinished(() => removeFolder(dataFolder))
  const before = await openRecords({ dataFolder })
  await addAll(
    before,
    newImage('a.png', prompted(` a fox ${'🦊'.repeat(200)}`)),
    newImage('b.png'),
    newImage('c.png', prompted('')),
    newImage('d.png', prompted('broken')),
    newImage('e.png', prompted('x'.repeat(300_000))),
  )
  const asAdded = await startsIn(before)
  await before.close()
  await migrateAgain(dataFolder)

  const after = await openRecords({ dataFolder })
  onTestFinished(() => after.close())

  const long = asAdded['e.png']
  expect(asAdded).toMatchObject({
    'a.png': `a fox ${'🦊'.repeat(114)}`,
    'b.png': null,
    'c.png': null,
  })
  expect(long).toBe('x'.repeat(120))
  expect(await startsIn(after)).toEqual({ ...asAdded, 'd.png': null, 'e.png': null })
})

async function startsIn({ images }: Awaited<ReturnType<typeof openRecords>>) {
  const page = await images.page(everything, { offset: 0, limit: 10 })
  return Object.fromEntries(
    (page?.items ?? []).map(({ image_name, prompt_start }) => [image_name, prompt_start]),
  )
}
