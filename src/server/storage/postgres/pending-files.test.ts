import { expect, inject, onTestFinished, test } from 'vitest'
import { Refusal } from '#server/core/refusal.ts'
import { createDatabase, runOn } from '#testing/engines/postgres-server.ts'
import { addAll, newImage } from '#testing/ports/new-image.ts'
import { openPostgresRecords } from './open-records.ts'

const HOUR_MS = 3_600_000

const open = async () => {
  const url = await createDatabase(inject('postgresUrl'))
  const records = await openPostgresRecords({ url })
  onTestFinished(() => records.close())
  /** Makes all names older. */
  const age = (byMs: number) =>
    runOn(url, `UPDATE tessera.pending_files SET since = since - ${byMs}`)
  return { url, records, pending: records.pending, age }
}

test('sweeps names by age, the oldest first', async () => {
  const { pending, age } = await open()

  await pending.add(['b.png', 'a.png'])
  await age(HOUR_MS)
  await pending.add(['c.png', 'a.png'])

  expect(await pending.sweep(HOUR_MS, 9)).toEqual(['b.png'])
  await age(HOUR_MS)
  expect(await pending.sweep(HOUR_MS, 1)).toEqual(['b.png'])
  expect((await pending.sweep(HOUR_MS, 9)).toSorted()).toEqual(['a.png', 'b.png', 'c.png'])
})

test('goes on with a sweep that was cut off, until it ends', async () => {
  const { pending } = await open()
  await pending.add(['a.png', 'b.png'])

  expect((await pending.sweep(0, 9)).toSorted()).toEqual(['a.png', 'b.png'])
  await pending.endSweep(['a.png', 'unknown.png'])
  await pending.endSweep([])

  expect(await pending.sweep(0, 9)).toEqual(['b.png'])
})

test('removes a name with the commit of its row, and only then', async () => {
  const { records, pending } = await open()
  await pending.add(['a.png', 'b.png', 'c.png'])
  await pending.add([])

  await addAll(records, 'a.png')
  const refused = await records.images.addMany([
    newImage('b.png'),
    newImage('c.png', { board_id: 'x' }),
  ])

  expect(refused).toBe('board_not_found')
  expect((await pending.sweep(0, 9)).toSorted()).toEqual(['b.png', 'c.png'])
})

test('refuses the row of a name that was swept, from the beginning of the sweep', async () => {
  const { records, pending } = await open()
  await pending.add(['a.png', 'b.png'])
  await pending.sweep(0, 9)
  const refusal = new Refusal(
    'busy',
    'The server was paused for too long during this upload. Nothing was added. Upload the file again.',
  )

  await expect(records.images.add(newImage('a.png'))).rejects.toEqual(refusal)
  await pending.endSweep(['a.png', 'b.png'])
  await expect(records.images.addMany([newImage('other.png'), newImage('b.png')])).rejects.toEqual(
    refusal,
  )

  expect(await records.images.listByNames(['a.png', 'b.png', 'other.png'])).toEqual([])
})

test('accepts the row of a swept name whose file is stored again', async () => {
  const { records, pending } = await open()
  await pending.add(['a.png'])
  await pending.endSweep(await pending.sweep(0, 9))

  await pending.add(['a.png'])

  await addAll(records, 'a.png')
  expect(await pending.sweep(0, 9)).toEqual([])
})

test('either commits a row or sweeps its name, if both happen at once', async () => {
  const { records, pending } = await open()
  const names = Array.from({ length: 40 }, (_, at) => `${at}.png`)
  await pending.add(names)

  const [swept] = await Promise.all([
    pending.sweep(0, 20).then(async (first) => [...first, ...(await pending.sweep(0, 40))]),
    ...names.map((name) => records.images.addMany([newImage(name)]).catch(() => null)),
  ])

  const committed = (await records.images.listByNames(names)).map(({ image_name }) => image_name)
  const left = new Set([...swept, ...(await pending.sweep(0, 40))])
  expect(committed.filter((name) => left.has(name))).toEqual([])
  expect(new Set([...committed, ...left]).size).toBe(names.length)
})
