import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { openRecords } from '#server/storage/sqlite/open-records.ts'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'
import { LibraryCheck } from './library-check.ts'
import { LibraryState } from './library-state.ts'

test('a library whose database is damaged while it is open becomes read-only, and says why', async () => {
  const dataFolder = await createTemporaryFolder()
  const state = new LibraryState()
  const records = await openRecords({ dataFolder, state })
  const lines: string[] = []
  const onReport = (line: string) => lines.push(line)
  const onFailure = (error: unknown) => lines.push(String(error))
  const check = new LibraryCheck({ upkeep: records.upkeep, state, onReport, onFailure })
  onTestFinished(async () => {
    check.close()
    await records.close()
    await removeFolder(dataFolder)
  })
  new Database(join(dataFolder, 'tessera.db')).exec('DROP INDEX all_created').close()

  check.start()

  await expect.poll(() => lines).toEqual(['The database lacks parts: index all_created.'])
  const created = records.boards.create({ board_name: 'A', board_visibility: 'private' })
  await expect(created).rejects.toMatchObject({
    code: 'library_read_only',
    message: expect.stringContaining('tessera doctor'),
  })
  expect(await records.images.countIntermediates()).toBe(0)
})
