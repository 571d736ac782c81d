import { afterAll, beforeAll, describe, inject } from 'vitest'
import type { Clock } from '#server/core/clock.ts'
import type { Records } from '#server/core/record-ports.ts'
import { createDatabase } from '#testing/engines/postgres-server.ts'
import { testBoardRecords } from '#testing/ports/board-records-contract.ts'
import { testConditions } from '#testing/ports/conditions-contract.ts'
import { testDays } from '#testing/ports/days-contract.ts'
import { testDuplicates } from '#testing/ports/duplicates-contract.ts'
import { emptyLibrary } from '#testing/ports/empty-library.ts'
import { testImageRecords } from '#testing/ports/image-records-contract.ts'
import { testLikeness } from '#testing/ports/likeness-contract.ts'
import { testQueueChanges } from '#testing/ports/queue-changes-contract.ts'
import { testQueue } from '#testing/ports/queue-contract.ts'
import { testRatios } from '#testing/ports/ratios-contract.ts'
import { testRereads } from '#testing/ports/rereads-contract.ts'
import { testSavedSearches } from '#testing/ports/saved-searches-contract.ts'
import { testSearch } from '#testing/ports/search-contract.ts'
import { testTags } from '#testing/ports/tags-contract.ts'
import { testTrash } from '#testing/ports/trash-contract.ts'
import { testVideos } from '#testing/ports/video-contract.ts'
import { testView } from '#testing/ports/view-contract.ts'
import { openPostgresRecords } from './open-records.ts'

let records: Records
/** Chooses the matches of each search from the ids of the whole view, as for frequent words. */
let frequent: Records
let clock: Clock = Date.now

beforeAll(async () => {
  const openNew = async (maxRareMatches?: number) =>
    openPostgresRecords({
      url: await createDatabase(inject('postgresUrl')),
      clock: () => clock(),
      ...(maxRareMatches !== undefined && { maxRareMatches }),
    })
  records = await openNew()
  frequent = await openNew(0)
})

afterAll(async () => {
  await records.close()
  await frequent.close()
})

const open = async (testClock: Clock = Date.now) => {
  clock = testClock
  await emptyLibrary(records)
  for (const queueId of ['default', 'other']) await records.queue.remove(queueId, { those: 'all' })
  return records
}

describe('boards', () => testBoardRecords(open))
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
describe('search for frequent words', () =>
  testSearch(async () => {
    await emptyLibrary(frequent)
    return frequent
  }))
describe('trash', () => testTrash(open))
describe('queue', () => testQueue(open))
describe('changes of the queue', () => testQueueChanges(open))
