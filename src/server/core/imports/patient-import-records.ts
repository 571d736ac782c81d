import { Refusal } from '#server/core/refusal.ts'
import type { ImportRecords } from './import-records.ts'

/** How long it waits before it asks again, in milliseconds. */
const WAIT_MS = 250

/** The same records for who has time: told that they are busy, it asks again until they are not. */
export const patientImportRecords = (records: ImportRecords): ImportRecords => ({
  areKnown: (files) => patiently(() => records.areKnown(files)),
  takenNames: (imageNames) => patiently(() => records.takenNames(imageNames)),
  hasBytes: (contentHash) => patiently(() => records.hasBytes(contentHash)),
  add: (arrivals) => patiently(() => records.add(arrivals)),
  boardNamed: (boardName) => patiently(() => records.boardNamed(boardName)),
  addBoard: (board) => patiently(() => records.addBoard(board)),
  setCover: (boardId, uploadId) => patiently(() => records.setCover(boardId, uploadId)),
})

/** Asks until what is asked is not busy. */
export const patiently = async <T>(ask: () => Promise<T>): Promise<T> => {
  for (;;) {
    try {
      return await ask()
    } catch (error) {
      if (!(error instanceof Refusal && error.code === 'busy')) throw error
      await new Promise((resolve) => setTimeout(resolve, WAIT_MS))
    }
  }
}
