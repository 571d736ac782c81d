import { afterAll, beforeAll, describe, inject } from 'vitest'
import type { Clock } from '#server/core/clock.ts'
import type { Records } from '#server/core/record-ports.ts'
import { createDatabase } from '#testing/engines/postgres-server.ts'
import { testBoardRecords } from '#testing/ports/board-records-contract.ts'
import { testDays } from '#testing/ports/days-contract.ts'
import { emptyLibrary } from '#testing/ports/empty-library.ts'
import { testImageRecords } from '#testing/ports/image-records-contract.ts'
import { testQueueChanges } from '#testing/ports/queue-changes-contract.ts'
import { testQueue } from '#testing/ports/queue-contract.ts'
import { testSearch } from '#testing/ports/search-contract.ts'
import { testTrash } from '#testing/ports/trash-contract.ts'
import { testView } from '#testing/ports/view-contract.ts'
import { openPostgresRecords } from './open-records.ts'

let records: Records
let clock: Clock = Date.now

beforeAll(async () => {
  records = await openPostgresRecords({
    url: await createDatabase(inject('postgresUrl')),
    clock: () => clock(),
  })
})

afterAll(() => records.close())

const open = async (testClock: Clock = Date.now) => {
  clock = testClock
  await emptyLibrary(records)
  for (const queueId of ['default', 'other']) await records.queue.remove(queueId, { those: 'all' })
  return records
}

describe('boards', () => testBoardRecords(open))
describe('images', () => testImageRecords(open))
describe('views', () => testView(open))
describe('days', () => testDays(open))
describe('search', () => testSearch(open))
describe('trash', () => testTrash(open))
describe('queue', () => testQueue(open))
describe('changes of the queue', () => testQueueChanges(open))
