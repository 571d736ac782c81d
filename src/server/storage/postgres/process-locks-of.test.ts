import { beforeAll, expect, inject, onTestFinished, test, vi } from 'vitest'
import { FileRemoval } from '#server/core/intake/file-removal.ts'
import { createDatabase, runOn } from '#testing/engines/postgres-server.ts'
import { addAll } from '#testing/ports/new-image.ts'
import { openPostgresRecords } from './open-records.ts'

let url: string

beforeAll(async () => {
  url = await createDatabase(inject('postgresUrl'))
})

const fail = (error: unknown) => {
  throw error
}

const openTwo = async () => {
  const one = await openPostgresRecords({ url, isShared: true })
  const other = await openPostgresRecords({ url, isShared: true })
  onTestFinished(async () => {
    await one.close()
    await other.close()
  })
  return { one, other }
}

test('lets one process at a time do work of a kind', async () => {
  const { one, other } = await openTwo()
  const ending = Promise.withResolvers<string>()
  const begun = Promise.withResolvers<void>()

  const first = one.locks.tryRun('upkeep', () => {
    begun.resolve()
    return ending.promise
  })
  await begun.promise

  expect(await other.locks.tryRun('upkeep', async () => 'second')).toBeNull()
  expect(await one.locks.tryRun('upkeep', async () => 'second')).toBeNull()
  expect(await other.locks.tryRun('removal', async () => 'another kind')).toBe('another kind')
  ending.resolve('first')
  expect(await first).toBe('first')
  expect(await other.locks.tryRun('upkeep', async () => 'second')).toBe('second')
})

test('releases the lock if the work fails', async () => {
  const { one, other } = await openTwo()

  await expect(
    one.locks.tryRun('upkeep', async () => {
      throw new Error('No.')
    }),
  ).rejects.toThrow('No.')

  expect(await other.locks.tryRun('upkeep', async () => 'next')).toBe('next')
})

test('lets another process take over when the one at work dies', async () => {
  const { one, other } = await openTwo()
  const begun = Promise.withResolvers<void>()
  const ending = Promise.withResolvers<void>()
  const work = one.locks.tryRun('upkeep', () => {
    begun.resolve()
    return ending.promise
  })
  await begun.promise

  await runOn(
    url,
    `SELECT pg_terminate_backend(pid) FROM pg_locks
     WHERE locktype = 'advisory' AND objid = 7305806 AND granted`,
  )

  await expect.poll(() => other.locks.tryRun('upkeep', async () => 'next')).toBe('next')
  ending.resolve()
  await work
})

test('deletes the files of a deletion that another process made while one was at work', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const { one, other } = await openTwo()
  const removed: string[] = []
  const begun = Promise.withResolvers<void>()
  const ending = Promise.withResolvers<void>()
  const removalOf = (
    records: typeof one,
    files: { remove(names: readonly string[]): Promise<void> },
  ) => {
    const thumbnails = { remove: async () => {} }
    return new FileRemoval({ ...records, files, thumbnails, onFailure: fail })
  }
  const busy = removalOf(one, {
    remove: async (names) => {
      removed.push(...names)
      begun.resolve()
      await ending.promise
    },
  })
  const waiting = removalOf(other, { remove: async (names) => void removed.push(...names) })
  await addAll(one, 'a.png', 'b.png')
  await one.images.remove(['a.png'])
  busy.request()
  await begun.promise

  await other.images.remove(['b.png'])
  waiting.request()
  await waiting.waitUntilDone()
  expect(removed).toEqual(['a.png'])
  ending.resolve()
  await busy.close()
  await vi.advanceTimersByTimeAsync(1_000)
  await waiting.waitUntilDone()

  expect(removed).toEqual(['a.png', 'b.png'])
  expect(await one.upkeep.tombstones(9)).toEqual([])
  await waiting.close()
})

test('takes times from the database, because the clocks of processes may differ', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 0 })
  onTestFinished(() => void vi.useRealTimers())
  const { one } = await openTwo()

  await addAll(one, 'dated.png')

  const image = await one.images.get('dated.png')
  expect(image?.created_at.slice(0, 4)).not.toBe('1970')
  expect(await one.upkeep.now()).toBeGreaterThan(Date.UTC(2026, 0))
})
