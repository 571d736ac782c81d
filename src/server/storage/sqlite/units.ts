import { getBoard, listBoards } from '#server/storage/sqlite/boards/read-boards.ts'
import { removeBoard } from '#server/storage/sqlite/boards/remove-board.ts'
import { createBoard, updateBoard } from '#server/storage/sqlite/boards/write-boards.ts'
import {
  deleteClientState,
  getClientState,
  listClientStateKeys,
  setClientState,
} from '#server/storage/sqlite/client-state/client-state.ts'
import { boardsToExport } from '#server/storage/sqlite/exports/boards-to-export.ts'
import { countToExport, imagesToExport } from '#server/storage/sqlite/exports/images-to-export.ts'
import { addCopies } from '#server/storage/sqlite/images/add-copies.ts'
import { addEach, addImages } from '#server/storage/sqlite/images/add-images.ts'
import { archiveEntries } from '#server/storage/sqlite/images/archive-entries.ts'
import {
  getEmbeddedTexts,
  getJsonPiece,
  getMetadata,
  listMetadata,
} from '#server/storage/sqlite/images/embedded-metadata.ts'
import {
  getImageByContentHash,
  getImageByUploadId,
  getImageRecord,
  listRecordsByNames,
} from '#server/storage/sqlite/images/image-records.ts'
import { addToBoard, removeFromBoard } from '#server/storage/sqlite/images/move-images.ts'
import {
  countIntermediates,
  removeImages,
  removeIntermediates,
  removeUncategorized,
} from '#server/storage/sqlite/images/remove-images.ts'
import { setStarred, updateImage } from '#server/storage/sqlite/images/update-images.ts'
import {
  addActiveImport,
  listActiveImports,
  removeActiveImport,
  updateActiveImport,
} from '#server/storage/sqlite/imports/active-imports.ts'
import { addImportedImages } from '#server/storage/sqlite/imports/add-imported-images.ts'
import {
  addSourceBoard,
  findOrCreateBoard,
  setSourceCover,
} from '#server/storage/sqlite/imports/import-boards.ts'
import { areKnown, hasBytes, takenNames } from '#server/storage/sqlite/imports/known-files.ts'
import { addItems, retryItems } from '#server/storage/sqlite/queue/add-items.ts'
import { cancelItems, removeItems } from '#server/storage/sqlite/queue/cancel-items.ts'
import { endItem, recoverItems, startNextItem } from '#server/storage/sqlite/queue/change-items.ts'
import { listItemIds, listItems } from '#server/storage/sqlite/queue/list-items.ts'
import {
  batchStatus,
  destinationCounts,
  queueStatus,
} from '#server/storage/sqlite/queue/queue-counts.ts'
import { trashBoard, trashImages } from '#server/storage/sqlite/trash/move-to-trash.ts'
import { purgeTrash } from '#server/storage/sqlite/trash/purge-trash.ts'
import { restore } from '#server/storage/sqlite/trash/restore.ts'
import { trashPage } from '#server/storage/sqlite/trash/trash-page.ts'
import {
  clearSearch,
  fillSearch,
  repairDatabase,
} from '#server/storage/sqlite/upkeep/check-database.ts'
import { forgetTombstones, listTombstones } from '#server/storage/sqlite/upkeep/tombstones.ts'
import {
  allNames,
  countImages,
  getTimes,
  madeAt,
  recordedFiles,
  setTimes,
  unknownNames,
} from '#server/storage/sqlite/upkeep/upkeep-queries.ts'
import {
  daysOf,
  namesOf,
  namesOnBoard,
  pageOf,
  positionOf,
} from '#server/storage/sqlite/views/read-view.ts'
import type { Reading } from './reading.ts'
import type { Db } from './tables.ts'

/** Wraps a unit of work that needs only the database. */
const plain =
  <Args extends unknown[], Result>(work: (db: Db, ...args: Args) => Promise<Result>) =>
  ({ db }: Reading, ...args: Args) =>
    work(db, ...args)

/** Every reading unit of work, by the name that is sent to its thread. */
export const readingUnits = {
  'boards.get': plain(getBoard),
  'boards.list': plain(listBoards),
  'clientState.get': plain(getClientState),
  'clientState.keys': plain(listClientStateKeys),
  'exports.boards': plain(boardsToExport),
  'exports.count': plain(countToExport),
  'exports.images': plain(imagesToExport),
  'images.archiveEntries': plain(archiveEntries),
  'images.countIntermediates': plain(countIntermediates),
  'images.days': daysOf,
  'images.embeddedTexts': plain(getEmbeddedTexts),
  'images.get': plain(getImageRecord),
  'images.getByContentHash': plain(getImageByContentHash),
  'images.getByUploadId': plain(getImageByUploadId),
  'images.jsonPiece': plain(getJsonPiece),
  'images.listByNames': plain(listRecordsByNames),
  'images.metadata': plain(getMetadata),
  'images.listMetadata': plain(listMetadata),
  'images.names': namesOf,
  'images.namesOnBoard': namesOnBoard,
  'images.page': pageOf,
  'images.position': positionOf,
  'imports.areKnown': plain(areKnown),
  'imports.takenNames': plain(takenNames),
  'imports.hasBytes': plain(hasBytes),
  'activeImports.list': plain(listActiveImports),
  'queue.batchStatus': plain(batchStatus),
  'queue.destinationCounts': plain(destinationCounts),
  'queue.itemIds': plain(listItemIds),
  'queue.items': plain(listItems),
  'queue.status': plain(queueStatus),
  'trash.page': plain(trashPage),
  'upkeep.allNames': plain(allNames),
  'upkeep.countImages': plain(countImages),
  'upkeep.files': plain(recordedFiles),
  'upkeepTimes.get': plain(getTimes),
  'upkeep.madeAt': plain(madeAt),
  'upkeep.tombstones': plain(listTombstones),
  'upkeep.unknownNames': plain(unknownNames),
}

/** Every writing unit of work. Each one receives the current time. */
export const writingUnits = {
  'boards.create': createBoard,
  'boards.remove': removeBoard,
  'boards.update': updateBoard,
  'clientState.delete': deleteClientState,
  'clientState.set': setClientState,
  'images.addCopies': addCopies,
  'images.addEach': addEach,
  'images.addMany': addImages,
  'images.addToBoard': addToBoard,
  'images.remove': removeImages,
  'images.removeFromBoard': removeFromBoard,
  'images.removeIntermediates': removeIntermediates,
  'images.removeUncategorized': removeUncategorized,
  'images.setStarred': setStarred,
  'images.update': updateImage,
  'imports.add': addImportedImages,
  'imports.addBoard': addSourceBoard,
  'imports.boardNamed': findOrCreateBoard,
  'imports.setCover': setSourceCover,
  'activeImports.add': addActiveImport,
  'activeImports.remove': removeActiveImport,
  'activeImports.update': updateActiveImport,
  'queue.add': addItems,
  'queue.cancel': cancelItems,
  'queue.end': endItem,
  'queue.recover': recoverItems,
  'queue.remove': removeItems,
  'queue.retry': retryItems,
  'queue.startNext': startNextItem,
  'trash.purge': purgeTrash,
  'trash.restore': restore,
  'trash.trashBoard': trashBoard,
  'trash.trashImages': trashImages,
  'upkeep.clearSearch': clearSearch,
  'upkeep.fillSearch': fillSearch,
  'upkeep.forgetTombstones': forgetTombstones,
  'upkeepTimes.set': setTimes,
  'upkeep.repairDatabase': repairDatabase,
}

export type ReadingUnits = typeof readingUnits
export type WritingUnits = typeof writingUnits

type ArgsOf<Unit> = Unit extends (reading: never, ...args: infer Args) => unknown ? Args : never
type ArgsAfterNow<Args> = Args extends [unknown, ...infer Rest] ? Rest : []
type ResultOf<Unit> = Unit extends (...args: never[]) => Promise<infer Result> ? Result : never

/** Calls a reading unit of work, in whatever thread it runs. */
export type Read = <Name extends keyof ReadingUnits>(
  unit: Name,
  ...args: ArgsOf<ReadingUnits[Name]>
) => Promise<ResultOf<ReadingUnits[Name]>>

/** Calls a writing unit of work, in whatever thread it runs. */
export type Write = <Name extends keyof WritingUnits>(
  unit: Name,
  ...args: ArgsAfterNow<ArgsOf<WritingUnits[Name]>>
) => Promise<ResultOf<WritingUnits[Name]>>
