import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { MAX_NAMES_PER_REQUEST } from '#contract/limits.ts'
import { createDatabase } from '#testing/engines/postgres-server.ts'
import { everything } from '#testing/ports/new-image.ts'
import { openPostgresRecords, type PostgresRecords } from './open-records.ts'

let records: PostgresRecords

beforeAll(async () => {
  const url = await createDatabase(inject('postgresUrl'))
  records = await openPostgresRecords({ url })
  const client = new pg.Client({ connectionString: url, options: '-c search_path=tessera' })
  await client.connect()
  await client.query(`
    INSERT INTO images (image_name, board, category, origin, kind, starred, has_workflow, width, height,
      created_at, updated_at, dated_at, name_key, file_size, media_type, content_hash, thumbhash)
    SELECT n || '.png', 0, 0, 0, 0, 0, 0, 1, 1, n, n, n, lpad(n::text, 5, '0'), 1, 'image/png', '', ''
    FROM generate_series(0, ${MAX_NAMES_PER_REQUEST - 1}) AS n`)
  await client.query(`INSERT INTO image_search SELECT id, '' FROM images`)
  await client.end()
})

afterAll(() => records.close())

test('changes as many images as one request can name', async () => {
  const board = await records.boards.create({ board_name: 'All', board_visibility: 'shared' })
  const names = Array.from({ length: MAX_NAMES_PER_REQUEST }, (_, at) => `${at}.png`)

  await records.images.setStarred(names, true)
  await records.images.addToBoard(names, board.board_id)

  const view = { ...everything, boardId: board.board_id, starredFirst: true }
  const page = await records.images.page(view, { offset: 20_000, limit: 1 })
  expect(page).toMatchObject({
    items: [{ image_name: `${MAX_NAMES_PER_REQUEST - 1 - 20_000}.png`, starred: true }],
    total: MAX_NAMES_PER_REQUEST,
  })
  expect(await records.upkeep.checkDatabase('full')).toEqual([])
})
