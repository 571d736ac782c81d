import { unlinkSync } from 'node:fs'
import { mkdir, readdir, readFile, rm, stat, symlink, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { drawFile } from '#testing/library/draw-file.ts'
import { type Library, openLibrary } from '#testing/library/open-library.ts'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'
import {
  BACKUP_LOCK,
  prepareBackupFolder,
  readEarlierBackup,
  readManifest,
  timeOfDatabase,
} from './backup-manifest.ts'
import {
  type RestoreTarget,
  readUnfinishedRestore,
  restoreBackup,
  restoreDatabase,
} from './restore-backup.ts'
import { type BackupOptions, writeBackup } from './write-backup.ts'

const createFolder = async () => {
  const folder = await createTemporaryFolder()
  onTestFinished(() => removeFolder(folder))
  return folder
}

const upload = async ({ ingest }: Library, fileName: string): Promise<string> => {
  const source = (await drawFile(fileName)).stream()
  return (await ingest.ingest({ source, category: 'user', fileName })).image.image_name
}

const backUp = async (
  { dataFolder }: Pick<Library, 'dataFolder'>,
  folder: string,
  options: Partial<BackupOptions> = {},
) => {
  const root = await prepareBackupFolder(folder, dataFolder)
  const defaults = { version: '1.2.3', deep: false, link: false, keep: 3, prune: false }
  return writeBackup({ dataFolder, root, ...defaults, ...options })
}

const restoreNewest = async (
  root: string,
  dataFolder: string,
  replace = false,
  onTarget?: (target: RestoreTarget) => void,
) => {
  const [snapshot] = (await readManifest(root))?.snapshots ?? []
  if (snapshot === undefined) throw new Error('no backup')
  const options = { command: 'tessera restore', deep: false, ...(onTarget && { onTarget }) }
  return restoreBackup({ root, snapshot, dataFolder, replace, ...options })
}

const inBackup = (folder: string, imageName: string) =>
  join(folder, 'images', imageName.slice(34, 36), imageName)

test('copies only new files in a second backup, and names both databases', async () => {
  const library = await openLibrary()
  await upload(library, 'a.png')
  const folder = await createFolder()

  expect(await backUp(library, folder)).toMatchObject({ images: 1, copied: 1, there: 0, failed: 0 })
  await upload(library, 'b.png')
  expect(await backUp(library, folder)).toMatchObject({ images: 2, copied: 1, there: 1, failed: 0 })

  const manifest = await readManifest(folder)
  expect(manifest?.snapshots.map(({ images }) => images)).toEqual([2, 1])
  const names = manifest?.snapshots.map(({ database }) => database) ?? []
  expect(await readdir(folder)).toEqual(expect.arrayContaining(names))
  expect(names.map(timeOfDatabase)).not.toContain(null)
})

test('leaves out an image that is deleted while the backup runs @long', async () => {
  const library = await openLibrary()
  const [stays, goes] = [await upload(library, 'a.png'), await upload(library, 'b.png')]
  const folder = await createFolder()
  let isDeleted = false
  const onStage: BackupOptions['onStage'] = (at) => {
    if (isDeleted || at.stage !== 'database' || at.share < 1) return
    isDeleted = true
    const database = new Sqlite(join(library.dataFolder, 'tessera.db'))
    database.prepare('DELETE FROM images WHERE image_name = ?').run(goes)
    database.close()
    unlinkSync(library.pathOf(goes))
  }

  const done = await backUp(library, folder, { onStage })

  expect(done).toMatchObject({ copied: 1, failed: 0, deletedMeanwhile: 1 })
  const copy = new Sqlite(done.database, { readonly: true })
  expect(copy.prepare('SELECT image_name FROM images').pluck().all()).toEqual([stays])
  expect(copy.prepare('SELECT sum(n) FROM image_counts').pluck().get()).toBe(1)
  expect(copy.pragma('journal_mode', { simple: true })).toBe('delete')
  copy.close()
})

test('reports a lost or damaged original, and preserves its intact copy', async () => {
  const library = await openLibrary()
  const [lost, cut, whole] = [
    await upload(library, 'a.png'),
    await upload(library, 'b.png'),
    await upload(library, 'c.png'),
  ]
  const folder = await createFolder()
  await backUp(library, folder)
  const good = await readFile(inBackup(folder, whole))
  await rm(inBackup(folder, lost))
  await rm(inBackup(folder, cut))
  await rm(library.pathOf(lost))
  await truncate(library.pathOf(cut), 20)
  await writeFile(library.pathOf(whole), Buffer.alloc(good.length))

  const done = await backUp(library, folder, { deep: true })

  expect(done).toMatchObject({ there: 1, failed: 2 })
  expect(new Map(done.failures.map(({ imageName, reason }) => [imageName, reason]))).toEqual(
    new Map([
      [lost, 'Its file is missing in the library.'],
      [cut, expect.stringContaining('is damaged')],
    ]),
  )
  expect(await readFile(inBackup(folder, whole))).toEqual(good)
})

test('finds and replaces a damaged copy with deep @long', async () => {
  const library = await openLibrary()
  const imageName = await upload(library, 'a.png')
  const folder = await createFolder()
  await backUp(library, folder)
  const bytes = await readFile(inBackup(folder, imageName))
  await writeFile(inBackup(folder, imageName), Buffer.alloc(bytes.length))

  expect(await backUp(library, folder)).toMatchObject({ there: 1, copied: 0 })
  expect(await backUp(library, folder, { deep: true })).toMatchObject({ there: 0, copied: 1 })

  expect(await readFile(inBackup(folder, imageName))).toEqual(bytes)
})

test('keeps files of deleted images until no database names them and prune is set @long', async () => {
  const library = await openLibrary()
  const imageName = await upload(library, 'a.png')
  const folder = await createFolder()
  await backUp(library, folder)
  await library.images.remove([imageName])
  library.removal.request()
  await library.removal.waitUntilDone()

  expect(await backUp(library, folder, { prune: true, keep: 2 })).toMatchObject({ leftOver: 0 })
  expect(await backUp(library, folder, { keep: 2 })).toMatchObject({ leftOver: 1 })
  expect((await stat(inBackup(folder, imageName))).isFile()).toBe(true)
  expect(await backUp(library, folder, { prune: true, keep: 1 })).toMatchObject({ leftOver: 1 })

  await expect(stat(inBackup(folder, imageName))).rejects.toThrow('ENOENT')
  expect((await readdir(folder)).filter((name) => name.endsWith('.db'))).toHaveLength(1)
})

test('makes hard links to the files of the library with link', async () => {
  const library = await openLibrary()
  const imageName = await upload(library, 'a.png')
  const folder = await createFolder()

  expect(await backUp(library, folder, { link: true })).toMatchObject({ linked: 1, copied: 0 })

  const { ino } = await stat(library.pathOf(imageName))
  expect((await stat(inBackup(folder, imageName))).ino).toBe(ino)
})

test('refuses to back up a damaged database and keeps the last backup', async () => {
  const library = await openLibrary()
  await upload(library, 'a.png')
  const folder = await createFolder()
  await backUp(library, folder)
  const before = await readManifest(folder)
  const damaged = await createFolder()
  const bytes = await readFile(
    before === null ? '' : join(folder, before.snapshots[0]?.database ?? ''),
  )
  bytes.fill(0xff, 4096 * 3, 4096 * 6)
  await writeFile(join(damaged, 'tessera.db'), bytes)

  await expect(backUp({ dataFolder: damaged }, folder)).rejects.toThrow('is damaged')

  expect(await readManifest(folder)).toEqual(before)
  expect(await readdir(folder)).not.toContain('.tessera-backup')
})

test('writes only to an empty folder or a backup of the same library', async () => {
  const library = await openLibrary()
  const other = await openLibrary()
  const [folder, taken, elsewhere] = [
    await createFolder(),
    await createFolder(),
    await createFolder(),
  ]
  await writeFile(join(taken, 'mine.txt'), '')
  await symlink(library.dataFolder, join(elsewhere, 'link'))
  await backUp(library, folder)

  await expect(backUp(library, taken)).rejects.toThrow('has other files in it')
  await expect(backUp(library, join(library.dataFolder, 'b'))).rejects.toThrow('in the data folder')
  await expect(backUp(library, join(elsewhere, 'link/b'))).rejects.toThrow('in the data folder')
  await expect(backUp(other, folder)).rejects.toThrow('backups of another library')
  await expect(backUp(library, '/proc/backup')).rejects.toThrow('cannot be written to')
  expect(await readdir(taken)).toEqual(['mine.txt'])
})

test('sets aside an existing library only with replace', async () => {
  const library = await openLibrary()
  const imageName = await upload(library, 'a.png')
  const [folder, dataFolder] = [await createFolder(), await createFolder()]
  await backUp(library, folder)
  await mkdir(join(dataFolder, 'images'))
  await writeFile(join(dataFolder, 'tessera.db'), 'the one before')

  await expect(restoreNewest(folder, dataFolder)).rejects.toThrow('--replace')
  const done = await restoreNewest(folder, dataFolder, true)

  expect(done).toMatchObject({ copied: 1, failed: 0 })
  expect(await readFile(join(done.setAside ?? '', 'tessera.db'), 'utf8')).toBe('the one before')
  expect(await readFile(inBackup(dataFolder, imageName))).toEqual(
    await readFile(library.pathOf(imageName)),
  )
  expect(readUnfinishedRestore(dataFolder)).toBeNull()
})

test('refuses a backup with a damaged database, and restores one without its lost image', async () => {
  const library = await openLibrary()
  const imageName = await upload(library, 'a.png')
  const [folder, dataFolder, second] = [
    await createFolder(),
    await createFolder(),
    await createFolder(),
  ]
  const { database } = await backUp(library, folder)
  await rm(inBackup(folder, imageName))

  expect(await restoreNewest(folder, dataFolder)).toMatchObject({
    failures: [{ imageName, reason: 'It is not in the backup.' }],
  })
  await truncate(database, 5000)
  await expect(restoreNewest(folder, second)).rejects.toThrow('is damaged')
  expect(await readdir(second)).toEqual([])
})

test('sets aside the write-ahead log when it restores a database', async () => {
  const library = await openLibrary()
  const imageName = await upload(library, 'a.png')
  const [folder, dataFolder] = [await createFolder(), await createFolder()]
  const { database } = await backUp(library, folder)
  await writeFile(join(dataFolder, 'tessera.db'), 'damaged')
  await writeFile(join(dataFolder, 'tessera.db-wal'), 'its log')
  await writeFile(join(folder, 'text.db'), 'no database'.repeat(1000))

  await expect(restoreDatabase(join(folder, 'text.db'), dataFolder)).rejects.toThrow('is damaged')
  expect(await readFile(join(dataFolder, 'tessera.db'), 'utf8')).toBe('damaged')
  const newer = '019ab000-0000-7000-8000-0000000000ff.png'
  await mkdir(join(dataFolder, 'images/ff'), { recursive: true })
  await writeFile(join(dataFolder, 'images/ff', newer), 'newer than the database')
  const { setAside, unrecorded } = await restoreDatabase(database, dataFolder)

  expect(unrecorded).toBe(1)

  expect((await readdir(setAside ?? '')).sort()).toEqual(['tessera.db', 'tessera.db-wal'])
  expect(await readdir(dataFolder)).not.toContain('tessera.db-wal')
  const restored = new Sqlite(join(dataFolder, 'tessera.db'), { readonly: true })
  expect(restored.prepare('SELECT image_name FROM images').pluck().all()).toEqual([imageName])
  restored.close()
})

test('tells an interrupted backup from a complete one', async () => {
  const library = await openLibrary()
  await upload(library, 'a.png')
  const folder = await createFolder()
  await writeFile(join(folder, BACKUP_LOCK), '')
  expect(await readEarlierBackup(folder)).toBeNull()

  const stop = new AbortController()
  const onStage = () => stop.abort()
  await expect(backUp(library, folder, { signal: stop.signal, onStage })).rejects.toThrow()
  expect(await readEarlierBackup(folder)).toEqual({ newest: null, isInterrupted: true })

  await backUp(library, folder)
  expect(await readEarlierBackup(folder)).toMatchObject({
    newest: { images: 1 },
    isInterrupted: false,
  })
})

test('compares a library again that it has restored completely, and replaces its missing files @long', async () => {
  const library = await openLibrary()
  const [a, b] = [await upload(library, 'a.png'), await upload(library, 'b.png')]
  const [folder, restored] = [await createFolder(), await createFolder()]
  await backUp(library, folder)
  const targets: RestoreTarget[] = []
  const restore = () => restoreNewest(folder, restored, false, (target) => targets.push(target))
  await restore()
  await rm(inBackup(restored, a))

  expect(await restore()).toMatchObject({ copied: 1, there: 1, failed: 0, setAside: null })
  expect(targets).toEqual(['empty', 'complete'])
  expect(await readdir(restored)).not.toContain('unfinished-restore.json')
  expect(await stat(inBackup(restored, b))).toBeDefined()
  await writeFile(join(restored, 'tessera.db-wal'), 'changes')
  await expect(restore()).rejects.toThrow('is not empty')
})
