import { expect, inject, onTestFinished, test } from 'vitest'
import type { Records } from '#server/core/record-ports.ts'
import { Refusal } from '#server/core/refusal.ts'
import { createDatabase, runOn } from '#testing/engines/postgres-server.ts'
import { addAll } from '#testing/ports/new-image.ts'
import { openPostgresRecords } from './open-records.ts'

const open = async (url: string): Promise<Records> => {
  const records = await openPostgresRecords({ url })
  onTestFinished(() => records.close())
  return records
}

const changed = async (change: (url: URL) => void | Promise<void>): Promise<string> => {
  const url = new URL(await createDatabase(inject('postgresUrl')))
  await change(url)
  return url.href
}

test.each<[string, (url: URL) => void | Promise<void>, RegExp]>([
  [
    'a wrong password',
    (url) => {
      url.password = 'wrong'
    },
    /does not accept the password of postgres\. Correct --database\.$/,
  ],
  [
    'a missing database',
    (url) => {
      url.pathname = '/nowhere'
    },
    /has no database “nowhere”\. Create it: createdb nowhere$/,
  ],
  [
    'a user without rights',
    async (url) => {
      const name = url.pathname.slice(1)
      await runOn(url.href, `CREATE ROLE of_${name} LOGIN PASSWORD 'own'`)
      url.username = `of_${name}`
      url.password = 'own'
    },
    /does not let of_\w+ create tables\. Allow it: GRANT CREATE ON DATABASE \w+ TO of_\w+$/,
  ],
  [
    'a closed port',
    (url) => {
      url.port = '1'
    },
    /^PostgreSQL at 127\.0\.0\.1:1 does not answer\. Start PostgreSQL, or correct --database\.$/,
  ],
  [
    'another encoding',
    async (url) => {
      const name = `${url.pathname.slice(1)}_ascii`
      await runOn(
        url.href,
        `CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'SQL_ASCII' LOCALE 'C'`,
      )
      url.pathname = name
    },
    /has the encoding SQL_ASCII\. Create one with UTF8: createdb --encoding UTF8$/,
  ],
  [
    'a newer version',
    async (url) => {
      await (await openPostgresRecords({ url: url.href })).close()
      await runOn(url.href, `INSERT INTO tessera.kysely_migration VALUES ('9999-later', '')`)
    },
    /was written by a newer version of Tessera\. Update Tessera to open it\.$/,
  ],
])('names %s and a remedy', async (_, change, message) => {
  const url = await changed(change)

  const error = await openPostgresRecords({ url }).catch((cause: unknown) => cause)

  expect(error).toHaveProperty('message', expect.stringMatching(message))
  expect(String(error)).not.toContain(new URL(url).password)
})

test.each([
  [false, false],
  [false, true],
  [true, false],
])('refuses a second process while the first one runs (shared: %s, %s)', async (first, second) => {
  const url = await createDatabase(inject('postgresUrl'))
  const running = await openPostgresRecords({ url, isShared: first })

  await expect(openPostgresRecords({ url, isShared: second })).rejects.toThrow(
    /^Another Tessera uses the database at 127\.0\.0\.1:\d+\. To let several processes use it, give each --redis\.$/,
  )

  await running.close()
  await (await openPostgresRecords({ url, isShared: second })).close()
})

test('lets processes that share a database open it, even if they start together', async () => {
  const url = await createDatabase(inject('postgresUrl'))

  const opened = await Promise.all(
    [1, 2, 3].map(() => openPostgresRecords({ url, isShared: true })),
  )

  const [first, second, third] = opened
  if (first) await addAll(first, 'a.png')
  expect(await second?.images.get('a.png')).toMatchObject({ image_name: 'a.png' })
  expect(await third?.upkeep.revision()).toBe(await first?.upkeep.revision())
  for (const records of opened) await records.close()
})

test('answers again after the server has closed all connections', async () => {
  const url = await createDatabase(inject('postgresUrl'))
  const records = await open(url)
  await addAll(records, 'a.png')

  const started = records.images.get('a.png').catch((cause: unknown) => cause)
  await runOn(
    `${inject('postgresUrl')}/postgres`,
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${new URL(url).pathname.slice(1)}'`,
  )

  const ended = await started
  if (ended instanceof Error) expect(ended).toEqual(new Refusal('database_down'))
  await expect
    .poll(() => records.images.get('a.png').catch(() => null))
    .toMatchObject({ image_name: 'a.png' })
})
