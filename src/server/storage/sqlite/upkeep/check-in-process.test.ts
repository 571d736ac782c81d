import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { openRecords } from '#server/storage/sqlite/open-records.ts'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'
import { checkInProcess } from './check-in-process.ts'

let path = ''

beforeEach(async () => {
  const folder = await createTemporaryFolder()
  onTestFinished(() => removeFolder(folder))
  path = join(folder, 'tessera.db')
})

test('finds no faults in an intact database, and one in an unreadable one', async () => {
  const records = await openRecords({ dataFolder: join(path, '..') })
  expect(await checkInProcess({ path, depth: 'full' })).toEqual([])
  await records.close()

  await writeFile(path, 'no database'.repeat(1_000))
  expect(await checkInProcess({ path, depth: 'quick' })).toEqual([
    {
      kind: 'structure',
      canRepair: false,
      text: 'The database is damaged and cannot be read.',
    },
  ])
})

test('rejects with the reason if the check itself fails', async () => {
  // A socket is there, but cannot be opened as a file.
  const socket = createServer().listen(path)
  onTestFinished(() => void socket.close())
  await once(socket, 'listening')
  const checked = checkInProcess({ path, depth: 'quick' })
  await expect(checked).rejects.toThrow(/The process .* ended\..*unable to open database file/s)
})

test('says that the data folder is away if the database is gone', async () => {
  const checked = checkInProcess({ path, depth: 'quick' })
  await expect(checked).rejects.toThrow('The data folder of the library is not there.')
})

test('rejects with the reason of an aborted signal', async () => {
  const reason = new Error('closing')
  const controller = new AbortController()
  const checked = checkInProcess({ path, depth: 'quick' }, controller.signal)
  controller.abort(reason)
  await expect(checked).rejects.toBe(reason)
  await expect(checkInProcess({ path, depth: 'quick' }, controller.signal)).rejects.toBe(reason)
})
