import { afterAll, beforeAll, describe } from 'vitest'
import type { Clock } from '#server/core/clock.ts'
import type { Records } from '#server/core/record-ports.ts'
import { testBoardRecords } from '#testing/ports/board-records-contract.ts'
import { testDays } from '#testing/ports/days-contract.ts'
import { emptyLibrary } from '#testing/ports/empty-library.ts'
import { testImageRecords } from '#testing/ports/image-records-contract.ts'
import { testRatios } from '#testing/ports/ratios-contract.ts'
import { testRereads } from '#testing/ports/rereads-contract.ts'
import { testSearch } from '#testing/ports/search-contract.ts'
import { testTrash } from '#testing/ports/trash-contract.ts'
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
describe('images', () => testImageRecords(open))
describe('views', () => testView(open))
describe('days', () => testDays(open))
describe('ratios', () => testRatios(open))
describe('rereads', () => testRereads(open))
describe('search', () => testSearch(open))
describe('trash', () => testTrash(open))
