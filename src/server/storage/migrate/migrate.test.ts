import { cp, readdir, rename, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest'
import { openPostgresRecords } from '#server/storage/postgres/open-records.ts'
import { createDatabase, runOn } from '#testing/engines/postgres-server.ts'
import { emptyStore } from '#testing/engines/s3-server.ts'
import { answersOf, DAY_MS, fillVariedLibrary } from '#testing/library/varied-library.ts'
import { type Ended, runCommand } from '#testing/server/run-command.ts'
import { startServer } from '#testing/server/start-server.ts'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'

const folder = async (): Promise<string> => {
  const path = await createTemporaryFolder()
  onTestFinished(() => removeFolder(path))
  return path
}

let dataFolder: string
let answers: Record<string, unknown>
beforeAll(async () => {
  dataFolder = await createTemporaryFolder()
  const server = await startServer({ dataFolder })
  await fillVariedLibrary(server)
  await server.close()
  answers = await readLibrary({ dataFolder })
})
afterAll(() => removeFolder(dataFolder))

const newEngines = async () => ({
  databaseUrl: await createDatabase(inject('postgresUrl')),
  files: emptyStore(inject('s3Url')),
})
type Engines = Awaited<ReturnType<typeof newEngines>>

const migrate = ({ databaseUrl, files }: Engines, ...args: string[]): Promise<Ended> =>
  runCommand('migrate', '--database', databaseUrl, '--files', files, ...args)

const noDifferences: Ended = {
  code: 0,
  out: expect.stringMatching(/^ {2}Differences +0$/m),
  err: '',
}

/** A copy whose originals can be changed. */
const copyOfLibrary = async (): Promise<string> => {
  const path = join(await folder(), 'library')
  await cp(dataFolder, path, { recursive: true })
  return path
}

const originalsIn = async (library: string): Promise<string[]> => {
  const entries = await readdir(join(library, 'images'), { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  return files.map(({ parentPath, name }) => join(parentPath, name)).sort()
}

const readLibrary = async (options: Partial<Engines> & { dataFolder: string }) => {
  const server = await startServer({ ...options, runsQueue: false })
  server.clock.advance(DAY_MS)
  try {
    return await answersOf(server)
  } finally {
    await server.close()
  }
}

test('copies a library to PostgreSQL and S3 and back, to the last row and byte', async () => {
  const engines = await newEngines()
  const target = join(await folder(), 'back')

  const there = await migrate(engines, '--data', dataFolder)
  expect(there).toMatchObject({ code: 0, err: '' })
  expect(await migrate(engines, '--data', dataFolder, '--verify')).toEqual(noDifferences)
  const back = await migrate(engines, '--to', target)
  expect(back).toMatchObject({ code: 0, err: '' })
  expect(await migrate(engines, '--to', target, '--verify')).toEqual(noDifferences)

  const nul = (text: unknown) => JSON.parse(JSON.stringify(text).replaceAll('\\u0000', '\uFFFD'))
  expect(nul(await readLibrary({ ...engines, dataFolder: await folder() }))).toEqual(nul(answers))
  expect(nul(await readLibrary({ dataFolder: target }))).toEqual(nul(answers))
})

test('names a missing and a damaged original, and copies the rest and later these', async () => {
  const engines = await newEngines()
  const source = await copyOfLibrary()
  const [missing = '', damaged = ''] = await originalsIn(source)
  await rename(missing, `${missing}.away`)
  await rename(damaged, `${damaged}.away`)
  await writeFile(damaged, 'no image')

  const failed = await migrate(engines, '--data', source)
  expect(failed.code).toBe(1)
  expect(failed.out).toContain(`${basename(missing)}: Its file is missing.`)
  expect(failed.out).toContain(`${basename(damaged)}: Its file is damaged: its SHA-256 is not`)
  await expect(openPostgresRecords({ url: engines.databaseUrl })).rejects.toThrow(
    /has a part of a library\. Run the same `tessera migrate` again to finish it/,
  )
  await rename(`${missing}.away`, missing)
  const skipped = await migrate(engines, '--data', source, '--skip-failed')
  expect(skipped.code).toBe(1)
  expect(skipped.out).toMatch(/^ {2}Copied +1$/m)
  expect(skipped.out).toMatch(/^Start it there: tessera --database "postgres:\/\/postgres:…@/m)

  const compared = await migrate(engines, '--data', source, '--verify')
  expect(compared).toMatchObject({ code: 1, out: expect.stringMatching(/^ {2}Differences +1$/m) })
  await rename(`${damaged}.away`, damaged)
  const again = await migrate(engines, '--data', source, '--verify')
  expect(again.out).toMatch(new RegExp(`${basename(damaged)} in the database at .*: .*missing`))
})

test('finds every difference of records', async () => {
  const engines = await newEngines()
  expect(await migrate(engines, '--data', dataFolder)).toMatchObject({ code: 0 })
  for (const change of [
    `UPDATE tessera.boards SET board_name = 'Other', starred = 1 WHERE board_name = 'Trashed'`,
    'DELETE FROM tessera.client_state',
    `INSERT INTO tessera.upkeep_times VALUES ('zzz', 1)`,
    'UPDATE tessera.image_counts SET n = n + 1',
    'DELETE FROM tessera.image_search',
  ])
    await runOn(engines.databaseUrl, change)

  const { code, out } = await migrate(engines, '--data', dataFolder, '--verify')

  const place = `the database at ${new URL(engines.databaseUrl).host}`
  expect([code, out.split('\n').slice(-7)]).toEqual([
    1,
    [
      '  Differences         5',
      '    boards Trashed differs in board_name, starred.',
      `    client_state 1 is missing in ${place}.`,
      `    upkeep_times zzz is only in ${place}.`,
      '    The stored counts of images are wrong.',
      '    The search indexes have different numbers of images.',
      '',
    ],
  ])
})

test('compares and migrates only the same library', async () => {
  const engines = await newEngines()
  expect(await migrate(engines, '--data', dataFolder)).toMatchObject({ code: 0 })
  const other = await folder()
  await (await startServer({ dataFolder: other })).close()

  const repeated = await migrate(engines, '--data', dataFolder)
  expect(repeated).toMatchObject({ code: 0, out: expect.stringContaining('is there already') })
  expect(await migrate(engines, '--data', other)).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^tessera: The database at .* has another library/),
  })
  expect(await migrate(engines, '--data', other, '--verify')).toMatchObject({
    code: 1,
    err: expect.stringMatching(/have different libraries\.$/m),
  })
  expect(await migrate(engines, '--to', other)).toMatchObject({
    code: 1,
    err: expect.stringContaining('has another library'),
  })
  const occupied = await folder()
  await writeFile(join(occupied, 'notes.txt'), '')
  expect(await migrate(engines, '--to', occupied)).toMatchObject({
    code: 1,
    err: `tessera: ${occupied} is not empty. Give a new or empty folder with --to.\n`,
  })
  expect(await readdir(occupied)).toEqual(['notes.txt', 'server.lock'])
})
