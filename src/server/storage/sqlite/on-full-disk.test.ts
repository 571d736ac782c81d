import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Kysely, sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'
import { onFullDisk, ReserveFile } from './on-full-disk.ts'
import { openDatabase } from './open-database.ts'

const limitPages = (db: Kysely<never>, pages: number) =>
  sql`PRAGMA max_page_count = ${sql.lit(pages)}`.execute(db)

/** Opens a database that cannot grow until the reserve is released. */
const openFull = async () => {
  const folder = await createTemporaryFolder()
  const path = join(folder, 'reserve')
  const reserve = new ReserveFile(path)
  reserve.take()
  const db = openDatabase(join(folder, 'full.db'), { readonly: false }) as unknown as Kysely<never>
  onTestFinished(async () => {
    await db.destroy()
    await removeFolder(folder)
  })
  await sql`CREATE TABLE rows (text TEXT)`.execute(db)
  await limitPages(db, 2)
  const write = async () => {
    if (!existsSync(path)) await limitPages(db, 1000)
    await db
      .transaction()
      .execute((rows) => sql`INSERT INTO rows VALUES (${'x'.repeat(50_000)})`.execute(rows))
    return 'written'
  }
  return { path, reserve, write }
}

test('deletes images on a full disk with the space of the reserve', async () => {
  const { path, reserve, write } = await openFull()

  expect(await onFullDisk('images.remove', reserve, write)).toBe('written')
  expect(existsSync(path)).toBe(false)
})

test('refuses to add images on a full disk and keeps the reserve', async () => {
  const { path, reserve, write } = await openFull()

  await expect(onFullDisk('images.addEach', reserve, write)).rejects.toMatchObject({
    code: 'disk_full',
  })
  expect(existsSync(path)).toBe(true)
})

test('allocates the reserve again after files were deleted', async () => {
  const { path, reserve, write } = await openFull()
  await onFullDisk('images.remove', reserve, write)

  await onFullDisk('upkeep.forgetTombstones', reserve, write)

  expect(existsSync(path)).toBe(true)
})

test('rethrows other errors and keeps the reserve', async () => {
  const { path, reserve } = await openFull()
  const broken = () => Promise.reject(new TypeError('a bug'))

  await expect(onFullDisk('images.remove', reserve, broken)).rejects.toThrow('a bug')
  expect(existsSync(path)).toBe(true)
})
