import { afterAll, beforeAll, describe } from 'vitest'
import type { Clock } from '#server/core/clock.ts'
import type { Records } from '#server/core/record-ports.ts'
import { testBoardRecords } from '#server/storage/records-contract/board-records-contract.ts'
import { testDays } from '#server/storage/records-contract/days-contract.ts'
import { emptyLibrary } from '#server/storage/records-contract/empty-library.ts'
import { testImageRecords } from '#server/storage/records-contract/image-records-contract.ts'
import { testSearch } from '#server/storage/records-contract/search-contract.ts'
import { testTrash } from '#server/storage/records-contract/trash-contract.ts'
import { testView } from '#server/storage/records-contract/view-contract.ts'
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
describe('images', () => testImageRecords(open))
describe('views', () => testView(open))
describe('days', () => testDays(open))
describe('search', () => testSearch(open))
describe('trash', () => testTrash(open))
