import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, onTestFinished, test, vi } from 'vitest'
import { Bucket } from '#server/storage/s3/bucket.ts'
import { parseFilesUrl } from '#server/storage/s3/files-url.ts'
import { openRecords } from '#server/storage/sqlite/open-records.ts'
import { startFaultyS3 } from '#testing/engines/faulty-s3.ts'
import { createDatabase } from '#testing/engines/postgres-server.ts'
import { emptyStore } from '#testing/engines/s3-server.ts'
import { keysOf } from '#testing/engines/s3-store.ts'
import { fillLibrary } from '#testing/library/fill-library.ts'
import { startRelay } from '#testing/server/relay.ts'
import { runCommand, startCommand } from '#testing/server/run-command.ts'
import { startServer } from '#testing/server/start-server.ts'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'

const IMAGES = 200

let dataFolder: string
beforeAll(async () => {
  dataFolder = await createTemporaryFolder()
  await fillLibrary(dataFolder, { imageCount: IMAGES, pictureCount: 5, longestPx: 64 })
})
afterAll(() => removeFolder(dataFolder))

const newTarget = async (s3Url = inject('s3Url')) => {
  const databaseUrl = await createDatabase(inject('postgresUrl'))
  const files = emptyStore(s3Url)
  const bucket = new Bucket(parseFilesUrl(files))
  onTestFinished(() => bucket.close())
  const args = ['migrate', '--data', dataFolder, '--database', databaseUrl, '--files', files]
  /** Waits until the first files are there. */
  const isCopying = () =>
    vi.waitFor(async () => expect((await keysOf(bucket)).length).toBeGreaterThan(2), {
      timeout: 60_000,
      interval: 5,
    })
  return { databaseUrl, files, args, isCopying }
}

test('refuses a folder whose server may change it', async () => {
  const { args } = await newTarget()
  const server = await startServer({ dataFolder })
  onTestFinished(() => server.close())

  expect(await runCommand(...args)).toEqual({
    code: 1,
    out: '',
    err: `tessera: Tessera is running with ${dataFolder} and may change the library. Stop it, or start it with --read-only until the migration is complete.\n`,
  })
})

test('copies a folder while its server is read-only, and notices a change', async () => {
  const { args, isCopying } = await newTarget()
  const server = await startServer({ dataFolder, readOnly: true })
  onTestFinished(() => server.close())
  const { ended } = startCommand(...args)

  await isCopying()
  expect(await server.client.images.count({})).toBe(IMAGES)
  const records = await openRecords({ dataFolder })
  await records.boards.create({ board_name: 'New', board_visibility: 'shared' })
  await records.close()

  expect(await ended).toMatchObject({
    code: 1,
    err: expect.stringMatching(/was changed while it was copied\. Run the same command again/),
  })
  const later = await openRecords({ dataFolder })
  await later.clientState.set('theme', 'dark', { maxKeys: 10 })
  await later.close()
  expect(await runCommand(...args)).toMatchObject({ code: 0 })
  expect(await runCommand(...args, '--verify')).toMatchObject({ code: 0 })
})

test('stops with the reason when the store fails, and continues', async () => {
  const proxy = await startFaultyS3(inject('s3Url'))
  onTestFinished(() => proxy.close())
  const { args, isCopying } = await newTarget(proxy.url)

  const { ended } = startCommand(...args)
  await isCopying()
  proxy.fail('refuse', { method: 'PUT' })

  expect(await ended).toMatchObject({
    code: 1,
    err: expect.stringMatching(
      /^tessera: The store of the images failed \(SlowDown\)\..* Run the same command again: it continues where it stopped\.\n$/,
    ),
  })
  proxy.fail('refuse', { times: 0 })
  expect(await runCommand(...args)).toMatchObject({ code: 0 })
  expect(await runCommand(...args, '--verify')).toMatchObject({ code: 0 })
})

test('stops with the reason when the database goes away, and continues', async () => {
  const { databaseUrl, files, isCopying } = await newTarget()
  const relay = await startRelay(`http://${new URL(databaseUrl).host}`)
  onTestFinished(() => relay.close())
  const url = new URL(databaseUrl)
  url.host = new URL(relay.url).host
  const args = ['migrate', '--data', dataFolder, '--database', url.href, '--files', files]

  const { ended } = startCommand(...args)
  await isCopying()
  await relay.cut()

  expect(await ended).toMatchObject({
    code: 1,
    err: 'tessera: The database does not answer. Try again in a moment. Run the same command again: it continues where it stopped.\n',
  })
  await relay.restore()
  expect(await runCommand(...args)).toMatchObject({ code: 0 })
})

test('refuses wrong places with one line each', async () => {
  const { args, databaseUrl, files } = await newTarget()
  const lineOf = async (...changed: string[]) => {
    const { code, err } = await runCommand('migrate', ...changed)
    return `${code} ${err}`
  }
  const [nowhere, closed] = [new URL(databaseUrl), new URL(databaseUrl)]
  nowhere.pathname = '/nowhere'
  closed.port = '1'
  const from = ['--data', dataFolder]

  expect(await lineOf(...from, '--database', nowhere.href, '--files', files)).toMatch(
    /^1 tessera: PostgreSQL at .* has no database “nowhere”\. Create it: createdb nowhere\n$/,
  )
  expect(await lineOf(...from, '--database', closed.href, '--files', files)).toMatch(
    /^1 tessera: PostgreSQL at 127\.0\.0\.1:1 does not answer\. .*\n$/,
  )
  const noBucket = files.replace('s3://tessera', 's3://other-bucket')
  expect(await lineOf(...from, '--database', databaseUrl, '--files', noBucket)).toMatch(
    /^1 tessera: There is no bucket “other-bucket” at .*\n$/,
  )
  expect(await lineOf(...from, '--files', files)).toBe(
    '2 tessera: --database and --files are needed (see --help).\n',
  )
  expect(await lineOf(...args.slice(1), '--to', join(dataFolder, 'x'))).toBe(
    '2 tessera: --data and --to cannot be combined: --to is the target (see --help).\n',
  )
  const server = await startServer({ databaseUrl, files })
  onTestFinished(() => server.close())
  expect(await lineOf(...args.slice(1))).toMatch(
    /^1 tessera: Another Tessera uses the database at .*\n$/,
  )
})
