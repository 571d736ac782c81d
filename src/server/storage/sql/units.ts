import type { LibraryChange } from '#server/core/changes/change-ports.ts'
import { getBoard, listBoards } from '#server/storage/sql/boards/read-boards.ts'
import * as boardWrites from '#server/storage/sql/boards/write-boards.ts'
import * as changeLog from '#server/storage/sql/changes/change-log.ts'
import * as changes from '#server/storage/sql/changes/changes-of.ts'
import * as clientState from '#server/storage/sql/client-state/client-state.ts'
import * as toExport from '#server/storage/sql/exports/to-export.ts'
import { addCopies } from '#server/storage/sql/images/add-copies.ts'
import { addEach, addImages } from '#server/storage/sql/images/add-images.ts'
import { archiveEntries } from '#server/storage/sql/images/archive-entries.ts'
import * as metadata from '#server/storage/sql/images/embedded-metadata.ts'
import * as records from '#server/storage/sql/images/image-records.ts'
import * as removal from '#server/storage/sql/images/remove-images.ts'
import * as rereads from '#server/storage/sql/images/reread-images.ts'
import * as imageUpdates from '#server/storage/sql/images/update-images.ts'
import * as activeImports from '#server/storage/sql/imports/active-imports.ts'
import { addImportedImages } from '#server/storage/sql/imports/add-imported-images.ts'
import * as importBoards from '#server/storage/sql/imports/import-boards.ts'
import { areKnown, hasBytes, takenNames } from '#server/storage/sql/imports/known-files.ts'
import * as duplicates from '#server/storage/sql/likeness/duplicates.ts'
import { addItems, retryItems } from '#server/storage/sql/queue/add-items.ts'
import * as itemChanges from '#server/storage/sql/queue/change-items.ts'
import { listItemIds, listItems } from '#server/storage/sql/queue/list-items.ts'
import * as queueCounts from '#server/storage/sql/queue/queue-counts.ts'
import * as savedSearches from '#server/storage/sql/searches/saved-searches.ts'
import { applyTags } from '#server/storage/sql/tags/apply-tags.ts'
import { removeTag, restoreTags, updateTag } from '#server/storage/sql/tags/change-tags.ts'
import { listTags } from '#server/storage/sql/tags/list-tags.ts'
import { restore, restoreTo } from '#server/storage/sql/trash/restore.ts'
import { trashPage } from '#server/storage/sql/trash/trash-page.ts'
import { purgeTrash, trashBoard, trashImages } from '#server/storage/sql/trash/write-trash.ts'
import * as repair from '#server/storage/sql/upkeep/repair.ts'
import * as upkeep from '#server/storage/sql/upkeep/upkeep-queries.ts'
import { facetsOf } from '#server/storage/sql/views/facets.ts'
import { insightsOf } from '#server/storage/sql/views/insights.ts'
import * as views from '#server/storage/sql/views/read-view.ts'
import * as workflows from '#server/storage/sql/workflows/workflows.ts'
import { galleryPageOf, getVideoRecord, setPoster, videoPageOf } from './images/video-records.ts'
import type { Db } from './tables.ts'
import type { Repairing, ViewReading } from './unit-types.ts'

/** The first argument of a unit of work. */
export interface Context extends ViewReading, Repairing {
  /** Milliseconds since 1970. */
  now: number
  /** Takes what the unit changed. It is logged at the end of the transaction. */
  noteChange(change: LibraryChange): void
}

/** A unit of work: a method of a port, run in a transaction of a reading or writing thread. */
export interface Unit<Args extends unknown[] = unknown[], Result = unknown> {
  kind: 'read' | 'write'
  run(context: Context, ...args: Args): Promise<Result>
}

const read = <Args extends unknown[], Result>(
  work: (db: Db, ...args: Args) => Promise<Result>,
): Unit<Args, Result> => ({ kind: 'read', run: ({ db }, ...args) => work(db, ...args) })

const readView = <Args extends unknown[], Result>(
  work: (reading: ViewReading, ...args: Args) => Promise<Result>,
): Unit<Args, Result> => ({ kind: 'read', run: work })

const repairing = (work: (repairing: Repairing) => Promise<void>): Unit<[], void> => ({
  kind: 'write',
  run: async (context) => {
    await work(context)
    context.noteChange({ unlisted: 'all' })
  },
})

/** @param changeOf - Returns what a run changed in lists of images and boards. Absent: nothing. */
const write = <Args extends unknown[], Result>(
  work: (db: Db, now: number, ...args: Args) => Promise<Result>,
  changeOf?: (result: Result, ...args: Args) => LibraryChange,
): Unit<Args, Result> => ({
  kind: 'write',
  run: async ({ db, now, noteChange }, ...args) => {
    const result = await work(db, now, ...args)
    if (changeOf !== undefined) noteChange(changeOf(result, ...args))
    return result
  },
})

/**
 * Implements the methods of the ports. Only database threads load it: the main thread gets the names and kinds from a
 * thread (`remote-units.ts`), and `records-of.ts` has the methods that need work on the main thread.
 */
const units = {
  boards: {
    get: read(getBoard),
    list: read(listBoards),
    create: write(boardWrites.createBoard, changes.boardAdded),
    remove: write(boardWrites.removeBoard, changes.boardRemoved),
    update: write(boardWrites.updateBoard, changes.boardUpdated),
  },
  videos: {
    get: read(getVideoRecord),
    page: readView(videoPageOf),
    setPoster: write(setPoster, changes.videoUpdated),
  },
  gallery: { page: readView(galleryPageOf) },
  images: {
    archiveEntries: read(archiveEntries),
    countIntermediates: read(removal.countIntermediates),
    days: readView(views.daysOf),
    facets: readView(facetsOf),
    insights: readView(insightsOf),
    embeddedTexts: read(metadata.getEmbeddedTexts),
    get: read(records.getImageRecord),
    isThere: read(records.isThere),
    getByContentHash: read(records.getImageByContentHash),
    getByUploadId: read(records.getImageByUploadId),
    jsonPiece: read(metadata.getJsonPiece),
    listByNames: read(records.listRecordsByNames),
    metadata: read(metadata.getMetadata),
    listMetadata: read(metadata.listMetadata),
    names: readView(views.namesOf),
    namesOnBoard: readView(views.namesOnBoard),
    page: readView(views.pageOf),
    position: readView(views.positionOf),
    ratios: readView(views.ratiosOf),
    addCopies: write(addCopies, changes.copiesAdded),
    addEach: write(addEach, changes.imagesAddedEach),
    addMany: write(addImages, changes.manyAdded),
    addToBoard: write(imageUpdates.addToBoard, changes.imagesMoved),
    remove: write(removal.removeImages, changes.imagesRemoved),
    removeFromBoard: write(imageUpdates.removeFromBoard, changes.imagesMoved),
    removeIntermediates: write(removal.removeIntermediates, changes.countRemoved),
    removeUncategorized: write(removal.removeUncategorized, changes.imagesRemoved),
    setRating: write(imageUpdates.setRating, changes.imagesRated),
    setStarred: write(imageUpdates.setStarred, changes.imagesUpdated),
    update: write(imageUpdates.updateImage, changes.imageUpdated),
  },
  imports: {
    areKnown: read(areKnown),
    takenNames: read(takenNames),
    hasBytes: read(hasBytes),
    add: write(addImportedImages, changes.importedAdded),
    addBoard: write(importBoards.addSourceBoard, changes.boardNamed),
    boardNamed: write(importBoards.findOrCreateBoard, changes.boardNamed),
    setCover: write(importBoards.setSourceCover, changes.coverSet),
  },
  activeImports: {
    list: read(activeImports.listActiveImports),
    add: write(activeImports.addActiveImport),
    remove: write(activeImports.removeActiveImport),
    update: write(activeImports.updateActiveImport),
  },
  changes: {
    current: read(changeLog.currentPoint),
    since: read(changeLog.changesSince),
  },
  exports: {
    boards: read(toExport.boardsToExport),
    count: read(toExport.countToExport),
    images: read(toExport.imagesToExport),
  },
  queue: {
    batchStatus: read(queueCounts.batchStatus),
    destinationCounts: read(queueCounts.destinationCounts),
    itemIds: read(listItemIds),
    items: read(listItems),
    status: read(queueCounts.queueStatus),
    add: write(addItems),
    cancel: write(itemChanges.cancelItems),
    end: write(itemChanges.endItem),
    recover: write(itemChanges.recoverItems),
    renew: write(itemChanges.renewItems),
    remove: write(itemChanges.removeItems),
    retry: write(retryItems),
    startNext: write(itemChanges.startNextItem),
  },
  trash: {
    page: read(trashPage),
    purge: write(purgeTrash, changes.countRemoved),
    restore: write(restore, changes.restored),
    restoreTo: write(restoreTo, changes.restored),
    trashBoard: write(trashBoard, changes.trashed),
    trashImages: write(trashImages, changes.trashed),
  },
  clientState: {
    get: read(clientState.getClientState),
    keys: read(clientState.listClientStateKeys),
    delete: write(clientState.deleteClientState),
    set: write(clientState.setClientState),
  },
  rereads: {
    count: read(rereads.countOutdated),
    list: read(rereads.listOutdated),
    store: write(rereads.storeReread, changes.reread),
    describe: write(rereads.describeStored),
  },
  workflows: {
    list: read(workflows.listWorkflows),
    get: read(workflows.getWorkflow),
    add: write(workflows.addWorkflow),
    update: write(workflows.updateWorkflow),
    markOpened: write(workflows.markWorkflowOpened),
    remove: write(workflows.removeWorkflow),
  },
  duplicates: {
    sameBytes: read(duplicates.sameBytes),
    pictures: readView(duplicates.pictures),
    page: readView(duplicates.duplicatesPage),
    resolve: write(duplicates.resolveDuplicates, changes.duplicatesResolved),
    unresolve: write(duplicates.unresolveDuplicates, changes.duplicatesUnresolved),
    dismiss: write(duplicates.dismissDuplicates),
    undismiss: write(duplicates.undismissDuplicates),
  },
  savedSearches: {
    list: read(savedSearches.listSearches),
    get: read(savedSearches.getSearch),
    add: write(savedSearches.addSearch),
    update: write(savedSearches.updateSearch),
    remove: write(savedSearches.removeSearch),
  },
  tags: {
    list: readView(listTags),
    apply: write(applyTags, changes.imagesTagged),
    update: write(updateTag, changes.tagsChanged),
    remove: write(removeTag, changes.tagsChanged),
    restore: write(restoreTags, changes.tagsChanged),
  },
  upkeep: {
    allNames: read(upkeep.allNames),
    countImages: read(upkeep.countImages),
    files: read(upkeep.recordedFiles),
    getTimes: read(upkeep.getTimes),
    madeAt: read(upkeep.madeAt),
    tombstones: read(upkeep.listTombstones),
    unknownNames: read(upkeep.unknownNames),
    clearSearch: write(repair.clearSearch),
    fillSearch: write(repair.fillSearch),
    forgetTombstones: write(upkeep.forgetTombstones),
    setTimes: write(upkeep.setTimes),
    repairDatabase: repairing(repair.repairDatabase),
  },
}

export type Units = typeof units

export const unitKinds = Object.fromEntries(
  Object.entries(units).map(([subject, methods]) => [
    subject,
    Object.fromEntries(Object.entries(methods).map(([name, { kind }]) => [name, kind])),
  ]),
)

/** Returns a unit by its name across threads, such as `boards.list`. */
export const unitNamed = (name: string): Unit => {
  const [subject = '', method = ''] = name.split('.')
  const unit = (units as unknown as Record<string, Record<string, Unit>>)[subject]?.[method]
  if (unit === undefined) throw new Error(`no unit of work is called ${name}`)
  return unit
}
