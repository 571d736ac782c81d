import type { Records } from '#server/core/record-ports.ts'
import { groupCalls } from './group-calls.ts'
import type { JsonPiece } from './images/embedded-metadata.ts'
import { unpackNames } from './packed-names.ts'
import { unpackRows } from './packed-rows.ts'
import type { Read, Write } from './units.ts'

/** Images indexed per transaction. */
const IMAGES_PER_STEP = 2_000

/** Implements the ports with units of work. */
export const recordsOf = (
  read: Read,
  write: Write,
): Pick<
  Records,
  'boards' | 'clientState' | 'exports' | 'images' | 'imports' | 'activeImports' | 'queue' | 'trash'
> & {
  upkeep: Omit<Records['upkeep'], 'revision' | 'checkDatabase' | 'checkDisk'>
} => ({
  boards: {
    list: (options) => read('boards.list', options),
    get: (boardId) => read('boards.get', boardId),
    create: (board) => write('boards.create', board),
    update: (boardId, changes) => write('boards.update', boardId, changes),
    remove: (boardId, options) => write('boards.remove', boardId, options),
  },
  clientState: {
    get: (key) => read('clientState.get', key),
    keys: (prefix) => read('clientState.keys', prefix),
    delete: (key) => write('clientState.delete', key),
    set: (key, value, bounds) => write('clientState.set', key, value, bounds),
  },
  exports: {
    boards: () => read('exports.boards'),
    images: (after, limit, boardIds) => read('exports.images', after, limit, boardIds),
    count: (boardIds) => read('exports.count', boardIds),
  },
  images: {
    add: groupCalls((images) => write('images.addEach', images)),
    addMany: (images) => write('images.addMany', images),
    addCopies: (copies, boardId) => write('images.addCopies', copies, boardId),
    get: (imageName) => read('images.get', imageName),
    getByUploadId: (uploadId) => read('images.getByUploadId', uploadId),
    getByContentHash: (contentHash) => read('images.getByContentHash', contentHash),
    listByNames: async (imageNames) => unpackRows(await read('images.listByNames', imageNames)),
    page: async (view, window) => {
      const page = await read('images.page', view, window)
      return page === null ? null : { ...page, items: await unpackRows(page.items) }
    },
    names: async (view) => {
      const { packed, ...counts } = await read('images.names', view)
      return { image_names: unpackNames(packed), ...counts }
    },
    days: (view, timeZone) => read('images.days', view, timeZone),
    position: (view, imageName) => read('images.position', view, imageName),
    namesOnBoard: async (view, window) => {
      const packed = await read('images.namesOnBoard', view, window)
      return packed === null ? null : unpackNames(packed)
    },
    metadata: (imageName) => read('images.metadata', imageName),
    listMetadata: (imageNames) => read('images.listMetadata', imageNames),
    embeddedTexts: (imageName) => read('images.embeddedTexts', imageName),
    embeddedJson: async (imageName, text) => {
      const first = await read('images.jsonPiece', imageName, text, 0)
      if (first === null) return null
      const next = (from: number) => read('images.jsonPiece', imageName, text, from)
      return { bytes: first.bytes, pieces: piecesOf(first, next) }
    },
    update: (imageName, changes) => write('images.update', imageName, changes),
    setStarred: (imageNames, starred) => write('images.setStarred', imageNames, starred),
    addToBoard: (imageNames, boardId) => write('images.addToBoard', imageNames, boardId),
    removeFromBoard: (imageNames) => write('images.removeFromBoard', imageNames),
    remove: (imageNames) => write('images.remove', imageNames),
    removeUncategorized: () => write('images.removeUncategorized'),
    countIntermediates: () => read('images.countIntermediates'),
    removeIntermediates: () => write('images.removeIntermediates'),
    archiveEntries: async (source) => {
      const entries = await read('images.archiveEntries', source)
      return entries === null ? null : unpackRows(entries)
    },
  },
  imports: {
    areKnown: (files) => read('imports.areKnown', files),
    takenNames: (imageNames) => read('imports.takenNames', imageNames),
    hasBytes: (contentHash) => read('imports.hasBytes', contentHash),
    add: (files) => write('imports.add', files),
    boardNamed: (boardName) => write('imports.boardNamed', boardName),
    addBoard: (board) => write('imports.addBoard', board),
    setCover: (boardId, uploadId) => write('imports.setCover', boardId, uploadId),
  },
  activeImports: {
    add: (one) => write('activeImports.add', one),
    update: (importId, counts) => write('activeImports.update', importId, counts),
    remove: (importId) => write('activeImports.remove', importId),
    list: () => read('activeImports.list'),
  },
  queue: {
    add: (batch) => write('queue.add', batch),
    items: (queueId, which) => read('queue.items', queueId, which),
    itemIds: (queueId, direction) => read('queue.itemIds', queueId, direction),
    status: (queueId) => read('queue.status', queueId),
    batchStatus: (queueId, batchId) => read('queue.batchStatus', queueId, batchId),
    destinationCounts: (queueId, destination) =>
      read('queue.destinationCounts', queueId, destination),
    startNext: (device) => write('queue.startNext', device),
    end: (itemId, end) => write('queue.end', itemId, end),
    cancel: (queueId, which) => write('queue.cancel', queueId, which),
    remove: (queueId, which) => write('queue.remove', queueId, which),
    retry: (queueId, itemIds, maxPending) => write('queue.retry', queueId, itemIds, maxPending),
    recover: () => write('queue.recover'),
  },
  trash: {
    trashImages: (imageNames) => write('trash.trashImages', imageNames),
    trashBoard: (boardId, options) => write('trash.trashBoard', boardId, options),
    restore: (what) => write('trash.restore', what),
    page: (window) => read('trash.page', window),
    purge: (before) => write('trash.purge', before),
  },
  upkeep: {
    tombstones: (limit) => read('upkeep.tombstones', limit),
    forgetTombstones: (imageNames) => write('upkeep.forgetTombstones', imageNames),
    files: (after, limit) => read('upkeep.files', after, limit),
    repairDatabase: () => write('upkeep.repairDatabase'),
    rebuildSearch: async (onProgress) => {
      await write('upkeep.clearSearch')
      let done = 0
      for (let after: number | null = 0; after !== null; ) {
        after = await write('upkeep.fillSearch', after, IMAGES_PER_STEP)
        done += IMAGES_PER_STEP
        onProgress(done)
      }
    },
    getTimes: () => read('upkeepTimes.get'),
    setTimes: (times) => write('upkeepTimes.set', times),
    madeAt: () => read('upkeep.madeAt'),
    allNames: (after, limit) => read('upkeep.allNames', after, limit),
    unknownNames: (imageNames) => read('upkeep.unknownNames', imageNames),
    countImages: () => read('upkeep.countImages'),
  },
})

/** Yields all pieces of a text, given its first one. */
async function* piecesOf(
  { bytes, piece }: JsonPiece,
  next: (from: number) => Promise<JsonPiece | null>,
): AsyncGenerator<Uint8Array> {
  yield piece
  for (let from = piece.length; from < bytes; ) {
    const more = await next(from)
    if (more === null || more.piece.length === 0)
      throw new Error('The image was deleted meanwhile.')
    yield more.piece
    from += more.piece.length
  }
}
