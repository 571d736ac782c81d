import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'
import { lockDataFolder } from './data-folder-lock.ts'

const createFolder = async () => {
  const folder = await createTemporaryFolder()
  onTestFinished(() => removeFolder(folder))
  return folder
}

test('refuses to open an empty library in a folder whose records are in PostgreSQL', async () => {
  const folder = await createFolder()
  const lock = lockDataFolder(folder, { hasDatabase: true })
  lock.markDatabase()
  lock.release()

  expect(() => lockDataFolder(folder)).toThrow(
    `The records of ${folder} are in PostgreSQL. Start the server with --database and --files, or choose another folder with --data.`,
  )
  lockDataFolder(folder, { hasDatabase: true }).release()
})

test('tells a second process of a library in PostgreSQL to use another folder', async () => {
  const folder = await createFolder()
  const lock = lockDataFolder(folder, { hasDatabase: true })
  lock.announce('http://127.0.0.1:9091')

  expect(() => lockDataFolder(folder, { hasDatabase: true })).toThrow(
    `The data folder ${folder} is held by another running Tessera (process ${process.pid}). Give each process another folder with --data.`,
  )
  lock.release()
})

test('does not mark a folder before its database was opened', async () => {
  const folder = await createFolder()
  lockDataFolder(folder, { hasDatabase: true }).release()

  lockDataFolder(folder).release()
})

test('refuses PostgreSQL for a folder with a library, and changes nothing', async () => {
  const folder = await createFolder()
  writeFileSync(join(folder, 'tessera.db'), '')

  expect(() => lockDataFolder(folder, { hasDatabase: true })).toThrow(
    `${folder} already has a library in SQLite. Choose another folder with --data, or leave --database out.`,
  )
  lockDataFolder(folder).release()
  expect(readdirSync(folder).filter((name) => !name.startsWith('server.'))).toEqual(['tessera.db'])
})
