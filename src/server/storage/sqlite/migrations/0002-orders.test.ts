import { join } from 'node:path'
import type { Kysely } from 'kysely'
import { Migrator } from 'kysely/migration'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { View } from '#server/core/images/image-ports.ts'
import { openDatabase } from '#server/storage/sqlite/open-database.ts'
import { openRecords } from '#server/storage/sqlite/open-records.ts'
import { everything, namesIn, newImage } from '#testing/ports/new-image.ts'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'
import { firstLibrary } from './0001-first-library.ts'

interface Row {
  image_name: string
  file_name: string | null
  file_size: number
  created_at: number
  taken_at: number | null
  starred: number
}

const row = (image_name: string, own: Partial<Row>): Row => ({
  image_name,
  file_name: null,
  file_size: 1,
  created_at: 0,
  taken_at: null,
  starred: 0,
  ...own,
})

/** Creates a library of the first version with more images than the migration processes at once. */
const createFirstLibrary = async (dataFolder: string, rows: readonly Row[]): Promise<void> => {
  const db = openDatabase(join(dataFolder, 'tessera.db'), { readonly: false })
  const provider = { getMigrations: async () => ({ '0001-first-library': firstLibrary }) }
  const { error } = await new Migrator({ db, provider }).migrateToLatest()
  expect(error).toBeUndefined()
  for (let at = 0; at < rows.length; at += 1000) {
    const part = rows.slice(at, at + 1000).map((image) => ({
      ...image,
      ...{ board: 0, category: 3, origin: 1, is_intermediate: 0, has_workflow: 0, width: 1 },
      ...{ height: 1, updated_at: 0, media_type: 'image/png', content_hash: new Uint8Array(32) },
      thumbhash: new Uint8Array(3),
    }))
    // The current table type has two columns that this version lacks.
    await (db as unknown as Kysely<{ images: (typeof part)[number] }>)
      .insertInto('images')
      .values(part)
      .execute()
  }
  await db.destroy()
}

let dataFolder: string
let records: Awaited<ReturnType<typeof openRecords>>

beforeAll(async () => {
  dataFolder = await createTemporaryFolder()
  const hidden = Array.from({ length: 12_000 }, (_, at) => row(`${at}.png`, { starred: 1 }))
  await createFirstLibrary(dataFolder, [
    row('a.png', { file_name: 'IMG_9.png', file_size: 12, created_at: 1, taken_at: 5 }),
    row('b.png', { file_name: 'img_10.png', file_size: 10, created_at: 2 }),
    ...hidden,
    row('c.png', { file_size: 11, created_at: 9 }),
  ])

  records = await openRecords({ dataFolder })
})

afterAll(async () => {
  await records.close()
  await removeFolder(dataFolder)
})

test.each<[View['orderBy'], string[]]>([
  ['created_at', ['c.png', 'b.png', 'a.png']],
  ['taken_at', ['c.png', 'a.png', 'b.png']],
  ['name', ['b.png', 'a.png', 'c.png']],
  ['size', ['a.png', 'c.png', 'b.png']],
])('sorts a migrated library of the first version by %s', async (orderBy, names) => {
  const view = { ...everything, orderBy, starredFirst: true }
  const page = await records.images.page(view, { offset: 12_000, limit: 5 })
  expect(page?.items.map((image) => image.image_name)).toEqual(names)
  expect(page?.totalBytes).toBe(12_000 + 12 + 10 + 11)
  await records.images.add(newImage('d.png', { file_name: 'z', file_size: 99 }))
  expect((await namesIn(records, { ...view, orderDir: 'ASC' })).at(-1)).toBe('d.png')
  await records.images.remove(['d.png'])
})
