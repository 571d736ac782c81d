import { mkdir, readdir, statfs, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, onTestFinished, test, vi } from 'vitest'
import { automaticBackups } from '#server/storage/backup/automatic-backups.ts'
import { databaseNameAt } from '#server/storage/backup/backup-manifest.ts'
import { openLibrary } from '#testing/library/open-library.ts'
import { AutomaticBackup } from './automatic-backup.ts'
import { LibraryState } from './library-state.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Backups of a real library with a clock and timers controlled by the test. */
const startBackups = async (everyDays = 1) => {
  const library = await openLibrary()
  const folder = join(library.dataFolder, 'backups')
  const state = new LibraryState()
  const lines: string[] = []
  const onSkip = (line: string) => lines.push(line)
  const onFailure = (error: unknown) => lines.push(String(error))
  const { dataFolder, clock } = library
  const backups = automaticBackups(dataFolder)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const backup = new AutomaticBackup({ backups, state, everyDays, clock, onSkip, onFailure })
  onTestFinished(() => backup.close())
  const advance = (ms: number) => {
    clock.advance(ms)
    vi.advanceTimersByTime(ms)
  }
  return {
    ...{ dataFolder, folder, clock, state, lines, backup, advance, boards: library.boards },
    /** Waits for the end of a check, which sets the timer of the next one. */
    pass: async (ms: number) => {
      advance(ms)
      await expect.poll(() => vi.getTimerCount(), { timeout: 10_000 }).toBe(1)
    },
    names: async () => (await readdir(folder).catch(() => [])).sort(),
  }
}

test('backs up a minute after the start and again a day later', async () => {
  const { backup, boards, clock, pass, names, folder, lines } = await startBackups()
  await boards.create({ board_name: 'Cats', board_visibility: 'private' })
  backup.start()

  await pass(MINUTE)
  const first = databaseNameAt(clock())
  expect(await names()).toEqual([first])
  for (let hours = 1; hours <= 23; hours++) await pass(HOUR)
  expect(await names()).toEqual([first])
  await pass(HOUR)
  expect(await names()).toEqual([first, databaseNameAt(clock())])

  const copy = new Sqlite(join(folder, first), { readonly: true })
  onTestFinished(() => void copy.close())
  expect(copy.pragma('integrity_check', { simple: true })).toBe('ok')
  expect(copy.prepare('SELECT board_name FROM boards').pluck().all()).toContain('Cats')
  expect(lines).toEqual([])
})

test('makes no backup if an earlier run made a recent one', async () => {
  const { backup, clock, folder, pass, names } = await startBackups(3)
  await mkdir(folder)
  const earlier = databaseNameAt(clock() - 3 * DAY + 30 * MINUTE)
  await writeFile(join(folder, earlier), '')
  backup.start()

  await pass(MINUTE)
  expect(await names()).toEqual([earlier])
  await pass(HOUR)
  expect(await names()).toEqual([earlier, databaseNameAt(clock())])
})

test('keeps the newest seven backups and unrelated files', async () => {
  const { backup, clock, folder, pass, names } = await startBackups()
  await mkdir(folder)
  const earlier = [9, 8, 7, 6, 5, 4, 3, 2].map((days) => databaseNameAt(clock() - days * DAY))
  // Made with a clock that was ahead. It counts as the oldest; otherwise no backup would be made until that date.
  const ahead = databaseNameAt(clock() + 400 * DAY)
  for (const name of [...earlier, ahead, 'mine.db']) await writeFile(join(folder, name), '')
  backup.start()

  await pass(MINUTE)

  const expected = ['mine.db', ...earlier.slice(-6), databaseNameAt(clock())]
  expect(await names()).toEqual(expected.sort())
})

test('logs one line without a backup if full or read-only', async () => {
  const { backup, dataFolder, state, pass, names, lines } = await startBackups()
  const { bavail, bsize } = await statfs(dataFolder)
  // A sparse database file that is larger than the free space.
  await truncate(join(dataFolder, 'tessera.db'), bavail * bsize)
  backup.start()

  await pass(MINUTE)
  await pass(HOUR)
  expect(lines).toEqual([expect.stringContaining('needs twice the size of the database free')])
  state.fail('damaged')
  await pass(DAY)
  await pass(HOUR)
  expect(lines.slice(1)).toEqual([expect.stringContaining('the library is read-only')])
  expect(await names()).toEqual([])
})

test('reports a damaged database and leaves the backups unchanged', async () => {
  const { backup, clock, dataFolder, folder, pass, names, lines } = await startBackups()
  await mkdir(folder)
  const earlier = databaseNameAt(clock() - 2 * DAY)
  await writeFile(join(folder, earlier), '')
  const database = new Sqlite(join(dataFolder, 'tessera.db'))
  database.unsafeMode().pragma('writable_schema = ON')
  database.exec("UPDATE sqlite_schema SET rootpage = 9999 WHERE name = 'images'").close()
  backup.start()

  await pass(MINUTE)

  expect(lines).toEqual([expect.stringContaining('tessera.db is damaged')])
  expect(await names()).toEqual([earlier])
})

test('cancels a running backup on close and leaves no file', async () => {
  const { backup, dataFolder, advance, names, lines } = await startBackups()
  const database = new Sqlite(join(dataFolder, 'tessera.db'))
  database.exec('CREATE TABLE large AS SELECT zeroblob(50000000) AS bytes').close()
  backup.start()
  advance(MINUTE)
  await expect.poll(names, { timeout: 10_000, interval: 1 }).toContain('unfinished.db')

  await backup.close()

  expect(await names()).toEqual([])
  expect(vi.getTimerCount()).toBe(0)
  expect(lines).toEqual([])
})
