import { afterAll, beforeAll, describe } from 'vitest'
import type { Clock } from '#server/core/clock.ts'
import type { Records } from '#server/core/record-ports.ts'
import { openRecords } from '#server/storage/sqlite/open-records.ts'
import { testQueueChanges } from '#testing/ports/queue-changes-contract.ts'
import { testQueue } from '#testing/ports/queue-contract.ts'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'

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
  for (const queueId of ['default', 'other']) {
    await records.queue.remove(queueId, { those: 'all' })
  }
  return records
}

describe('queue', () => testQueue(open))
describe('changes', () => testQueueChanges(open))
