import { expect, inject, onTestFinished, test } from 'vitest'
import { createDatabase } from '#testing/engines/postgres-server.ts'
import { addAll, newImage } from '#testing/ports/new-image.ts'
import { openPostgresRecords } from './open-records.ts'

const open = async () => {
  let now = 1000
  const url = await createDatabase(inject('postgresUrl'))
  const records = await openPostgresRecords({ url, clock: () => now })
  onTestFinished(() => records.close())
  const setTime = (time: number) => {
    now = time
  }
  return { records, pending: records.pending, setTime }
}

test('returns pending names by age, the oldest first', async () => {
  const { pending, setTime } = await open()

  await pending.add(['b.png', 'a.png'])
  setTime(2000)
  await pending.add(['c.png', 'a.png'])

  expect(await pending.olderThan(2000, 9)).toEqual(['b.png'])
  expect(await pending.olderThan(2001, 9)).toEqual(['b.png', 'a.png', 'c.png'])
  expect(await pending.olderThan(2001, 2)).toEqual(['b.png', 'a.png'])
})

test('forgets names, without an error if there are none', async () => {
  const { pending } = await open()
  await pending.add(['a.png', 'b.png'])

  await pending.forget(['a.png', 'unknown.png'])
  await pending.forget([])
  await pending.add([])

  expect(await pending.olderThan(9999, 9)).toEqual(['b.png'])
})

test('removes a name with the commit of its row, and only then', async () => {
  const { records, pending } = await open()
  await pending.add(['a.png', 'b.png', 'c.png'])

  await addAll(records, 'a.png')
  const refused = await records.images.addMany([
    newImage('b.png'),
    newImage('c.png', { board_id: 'x' }),
  ])

  expect(refused).toBe('board_not_found')
  expect(await pending.olderThan(9999, 9)).toEqual(['b.png', 'c.png'])
})
