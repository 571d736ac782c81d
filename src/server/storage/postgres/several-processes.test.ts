import { beforeAll, expect, inject, onTestFinished, test } from 'vitest'
import { createDatabase } from '#testing/engines/postgres-server.ts'
import { addAll, createBoard, everything, newImage } from '#testing/ports/new-image.ts'
import { openPostgresRecords } from './open-records.ts'

let url: string

beforeAll(async () => {
  url = await createDatabase(inject('postgresUrl'))
})

const openTwo = async () => {
  const one = await openPostgresRecords({ url, isShared: true })
  const other = await openPostgresRecords({ url, isShared: true })
  onTestFinished(async () => {
    await one.close()
    await other.close()
  })
  return { one, other }
}

test('gives an upload that arrives in two processes one record', async () => {
  const { one, other } = await openTwo()
  const uploads = Array.from({ length: 20 }, (_, at) => `upload ${at}`)

  const outcomes = await Promise.all(
    uploads.flatMap((upload_id) => [
      one.images.add(newImage(`one ${upload_id}.png`, { upload_id })),
      other.images.add(newImage(`other ${upload_id}.png`, { upload_id })),
    ]),
  )

  for (const [at, upload_id] of uploads.entries()) {
    const [first, second] = outcomes.slice(2 * at, 2 * at + 2)
    if (typeof first !== 'object' || typeof second !== 'object') throw new Error('not added')
    expect([first.isRepeat, second.isRepeat].toSorted()).toEqual([false, true])
    expect(first.image).toEqual(second.image)
    expect(await other.images.getByUploadId(upload_id)).toEqual(first.image)
  }
  expect(await one.upkeep.checkDatabase('full')).toEqual([])
})

test('adds no image to a board that another process deletes', async () => {
  const { one, other } = await openTwo()
  const boardId = await createBoard(one, 'Short-lived')
  const names = Array.from({ length: 30 }, (_, at) => `on board ${at}.png`)
  const add = (name: string) => one.images.add(newImage(name, { board_id: boardId }))

  const first = await Promise.all(names.slice(0, 10).map(add))
  const [removed, ...later] = await Promise.all([
    other.boards.remove(boardId, { images: 'delete' }),
    ...names.slice(10).map(add),
  ])

  const added = names.filter((_, at) => typeof [...first, ...later][at] === 'object')
  expect(removed?.deleted_images.toSorted()).toEqual(added.toSorted())
  expect(await one.images.listByNames(names)).toEqual([])
  expect(await one.upkeep.checkDatabase('full')).toEqual([])
})

test('shows a change of one process in the lists of the other', async () => {
  const { one, other } = await openTwo()
  const window = { offset: 0, limit: 5 }
  const view = { ...everything, query: 'seen', isIntermediate: false }
  const revision = await other.upkeep.revision()
  expect(await other.images.page(view, window)).toMatchObject({ items: [] })

  await addAll(one, newImage('seen.png', { file_name: 'seen.png' }))

  expect(await other.upkeep.revision()).toBeGreaterThan(revision)
  expect(await other.images.page(view, window)).toMatchObject({
    items: [{ image_name: 'seen.png' }],
  })
})
