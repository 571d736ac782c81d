import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Clock } from '#server/core/clock.ts'
import type { Records } from '#server/core/record-ports.ts'
import {
  READER_VERSION,
  VERSION_WITHOUT_FINGERPRINT,
} from '#server/storage/metadata/reader-version.ts'
import { testBoardRecords } from '#testing/ports/board-records-contract.ts'
import { testConditions } from '#testing/ports/conditions-contract.ts'
import { testDays } from '#testing/ports/days-contract.ts'
import { testDuplicates } from '#testing/ports/duplicates-contract.ts'
import { emptyLibrary } from '#testing/ports/empty-library.ts'
import { testImageRecords } from '#testing/ports/image-records-contract.ts'
import { testLikeness } from '#testing/ports/likeness-contract.ts'
import { namesIn, newImage } from '#testing/ports/new-image.ts'
import { testRatios } from '#testing/ports/ratios-contract.ts'
import { testRereads } from '#testing/ports/rereads-contract.ts'
import { testSavedSearches } from '#testing/ports/saved-searches-contract.ts'
import { testSearch } from '#testing/ports/search-contract.ts'
import { testTags } from '#testing/ports/tags-contract.ts'
import { testTrash } from '#testing/ports/trash-contract.ts'
import { testVideos } from '#testing/ports/video-contract.ts'
import { testView } from '#testing/ports/view-contract.ts'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'
import { openRecords } from './open-records.ts'

let dataFolder: string
let records: Records
let clock: Clock = Date.now

beforeAll(async () => {
  dataFolder = await createTemporaryFolder()
  records = await openRecords({ dataFolder, clock: () => clock() })
})

afterAll(async () => {
  await records.close()
  await removeFolder(dataFolder)
})

const open = async (testClock: Clock = Date.now) => {
  clock = testClock
  await emptyLibrary(records)
  return records
}

describe('boards', () => testBoardRecords(open))
it('stores the properties of images that were added before there were any', async () => {
  const { images, rereads } = await open()
  const metadata = { invokeai: '{"model":{"name":"flux"}}' }
  await images.addMany(['a.png', 'b.png'].map((name) => newImage(name, { metadata })))
  const found = () => namesIn(records, { query: 'model:flux' })
  const database = new Sqlite(join(dataFolder, 'tessera.db'))
  database.exec('DELETE FROM image_properties; UPDATE images SET reader_version = 3')
  database.close()
  expect(await found()).toEqual([])

  expect(await rereads.describe(1)).toBe(1)
  expect(await found()).toEqual(['b.png'])
  expect(await rereads.describe(10)).toBe(1)
  expect(await found()).toEqual(['b.png', 'a.png'])
  expect(await rereads.describe(10)).toBe(0)
})

it('reads no original of an image that lacks only its fingerprint', async () => {
  const { images, rereads, duplicates } = await open()
  await images.add(newImage('a.png'))
  const database = new Sqlite(join(dataFolder, 'tessera.db'))
  database.exec(`UPDATE images SET reader_version = ${VERSION_WITHOUT_FINGERPRINT}`)
  database.close()

  const missing = { imageName: 'a.png', needsMetadata: false }
  expect(await rereads.list(READER_VERSION, 10)).toMatchObject([missing])
  const drawn = { imageName: 'a.png', read: null, fingerprint: [1, 2, 3, 4, 5] }
  await rereads.store(READER_VERSION, [drawn])
  expect(await rereads.count(READER_VERSION)).toBe(0)
  expect([...(await duplicates.pictures()).words]).toEqual(drawn.fingerprint)
})

describe('images', () => testImageRecords(open))
describe('duplicates', () => testDuplicates(open))
describe('likeness', () => testLikeness(open))
describe('saved searches', () => testSavedSearches(open))
describe('tags', () => testTags(open))
describe('videos', () => testVideos(open))
describe('views', () => testView(open))
describe('days', () => testDays(open))
describe('ratios', () => testRatios(open))
describe('rereads', () => testRereads(open))
describe('search', () => testSearch(open))
describe('conditions', () => testConditions(open))
describe('trash', () => testTrash(open))

it('deletes old changes of images in parts of 1,000, and at the first change after a start', async () => {
  const folder = await createTemporaryFolder()
  const library = await openRecords({ dataFolder: folder })
  const database = new Sqlite(join(folder, 'tessera.db'))
  const addChange = (seq: number) =>
    database.prepare('INSERT INTO image_changes (seq, image, is_new) VALUES (?, 0, 0)').run(seq)
  const first = () => database.prepare('SELECT min(seq) FROM image_changes').pluck().get()
  const add = (...names: string[]) => library.images.addMany(names.map((name) => newImage(name)))
  try {
    addChange(1)
    addChange(60_000)
    await add('first.png')
    expect(first()).toBe(60_000)
    addChange(2)
    await add('second.png')
    expect(first()).toBe(2)
    await add(...Array.from({ length: 1_000 }, (_, at) => `${at}.png`))
    expect(first()).toBe(60_000)
  } finally {
    database.close()
    await library.close()
    await removeFolder(folder)
  }
})
