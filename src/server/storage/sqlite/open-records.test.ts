import { afterAll, beforeAll, describe } from 'vitest'
import type { Clock } from '#server/core/clock.ts'
import type { Records } from '#server/core/record-ports.ts'
import { emptyLibrary } from '#server/storage/records-contract/empty-library.ts'
import { keepsTheBoardRecordsContract } from '#server/storage/records-contract/keeps-the-board-records-contract.ts'
import { keepsTheDaysContract } from '#server/storage/records-contract/keeps-the-days-contract.ts'
import { keepsTheImageRecordsContract } from '#server/storage/records-contract/keeps-the-image-records-contract.ts'
import { keepsTheSearchContract } from '#server/storage/records-contract/keeps-the-search-contract.ts'
import { keepsTheTrashContract } from '#server/storage/records-contract/keeps-the-trash-contract.ts'
import { keepsTheViewContract } from '#server/storage/records-contract/keeps-the-view-contract.ts'
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

describe('boards', () => keepsTheBoardRecordsContract(open))
describe('images', () => keepsTheImageRecordsContract(open))
describe('views', () => keepsTheViewContract(open))
describe('days', () => keepsTheDaysContract(open))
describe('search', () => keepsTheSearchContract(open))
describe('trash', () => keepsTheTrashContract(open))
