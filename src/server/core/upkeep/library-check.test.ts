import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { openRecords } from '#server/storage/sqlite/open-records.ts'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'
import { LibraryCheck } from './library-check.ts'
import { LibraryState } from './library-state.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
})

/** A check of a real library with timers controlled by the test. */
const openCheck = async () => {
  const dataFolder = await createTemporaryFolder()
  const state = new LibraryState()
  const records = await openRecords({ dataFolder, state })
  const lines: string[] = []
  const onReport = (line: string) => lines.push(line)
  const onFailure = (error: unknown) => lines.push(String(error))
  const check = new LibraryCheck({ upkeep: records.upkeep, state, onReport, onFailure })
  onTestFinished(() => removeFolder(dataFolder))
  return { dataFolder, records, lines, check }
}

test('makes an open library with a damaged database read-only', async () => {
  const { dataFolder, records, lines, check } = await openCheck()
  onTestFinished(async () => {
    await check.close()
    await records.close()
  })
  new Database(join(dataFolder, 'tessera.db')).exec('DROP INDEX all_created').close()

  check.start()
  vi.advanceTimersByTime(10_000)

  await expect.poll(() => lines).toEqual(['The database lacks parts: index all_created.'])
  const created = records.boards.create({ board_name: 'A', board_visibility: 'private' })
  await expect(created).rejects.toMatchObject({
    code: 'library_read_only',
    message: expect.stringContaining('tessera doctor'),
  })
  expect(await records.images.countIntermediates()).toBe(0)
})

test('cancels a running check on close and closes its connection @long', async () => {
  // While its process starts, while it reads, and after it.
  for (const waitMs of [0, 150, 300, 600]) {
    const { dataFolder, records, lines, check } = await openCheck()
    check.start()
    vi.advanceTimersByTime(10_000)
    await wait(waitMs)

    await check.close()
    await records.close()

    // SQLite removes the log when the last connection is closed.
    expect(await readdir(dataFolder)).not.toContain('tessera.db-wal')
    expect({ timers: vi.getTimerCount(), lines }).toEqual({ timers: 0, lines: [] })
  }
})
