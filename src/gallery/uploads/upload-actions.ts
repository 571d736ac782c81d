import { UNCATEGORIZED_BOARD_ID } from '#contract/board.ts'
import { theGallery } from '#gallery/api/the-gallery.ts'
import { foundFiles } from '#gallery/uploads/drop/chosen-files.ts'
import { askAboutFolders, type FolderToUpload } from '#gallery/uploads/drop/folder-question.tsx'
import { type Found, walkEntries } from '#gallery/uploads/drop/walk-entries.ts'
import { endedOf } from '#gallery/uploads/tray/upload-tally.ts'
import { faultOf } from './file-fault.ts'
import {
  claimPersistedUploads,
  forgetUploads,
  openQueue,
  persistEnded,
  persistUploads,
  readEnded,
} from './persisted-uploads.ts'
import {
  abortRequests,
  fileOf,
  forgetFiles,
  newUploadId,
  rememberFile,
  runUploads,
} from './run-uploads.ts'
import {
  canMoveHere,
  isPending,
  isUnfinished,
  newUpload,
  type Upload,
  type UploadTarget,
} from './upload.ts'
import {
  applyUploadEvent,
  currentUploads,
  endReading,
  onQueueChange,
  setEarlierUploads,
  setPaused,
  startReading,
  unfinishedIds,
} from './upload-store.ts'

let queue: Promise<string> | null = null

const tabQueue = (): Promise<string> => {
  queue ??= openQueue(newUploadId)
  return queue
}

/**
 * Adds files that were dropped, pasted or picked. Files that cannot be uploaded are reported immediately; the
 * others are uploaded.
 */
export function addFiles(found: readonly Found[], target: UploadTarget): void {
  const limits = theGallery.uploads.limits()
  const uploads = found.map((item): Upload => {
    if ('unreadable' in item) {
      const { name, folder } = item.unreadable
      const upload = newUpload(newUploadId(), { fileName: name, folder, bytes: 0 }, target)
      return toFailedUpload(upload, 'The file could not be opened. It may be locked or deleted.')
    }
    const { file, folder } = item.found
    const upload = newUpload(
      newUploadId(),
      { fileName: file.name, folder, bytes: file.size },
      target,
    )
    const fault = faultOf(file, limits)
    if (fault !== null) return toFailedUpload(upload, fault)
    rememberFile(upload.uploadId, file)
    return upload
  })
  applyUploadEvent({ type: 'added', uploads })
  runUploads()
  persist(uploads.filter(isUnfinished))
}

function persist(uploads: readonly Upload[]): void {
  if (uploads.length === 0) return
  void tabQueue().then((queueId) => persistUploads(queueId, uploads, pendingFileOf))
}

function pendingFileOf(uploadId: string): File | undefined {
  const upload = currentUploads().uploads.find((one) => one.uploadId === uploadId)
  return upload && isPending(upload) ? fileOf(uploadId) : undefined
}

const toFailedUpload = (upload: Upload, reason: string): Upload => ({
  ...upload,
  status: 'failed',
  reason,
  canRetry: false,
})

/**
 * Adds dropped files and folders. Call it synchronously in the event handler: the browser clears the data
 * transfer afterwards.
 */
export function addDroppedItems(
  transfer: DataTransfer,
  target: UploadTarget,
  { asksAboutFolders }: { asksAboutFolders: boolean },
): void {
  const files: File[] = []
  const folders: FileSystemEntry[] = []
  for (const item of transfer.items) {
    if (item.kind !== 'file') continue
    const entry = item.webkitGetAsEntry()
    const file = item.getAsFile()
    if (entry?.isDirectory) folders.push(entry)
    else if (file) files.push(file)
  }
  if (files.length > 0) addFiles(foundFiles(files), target)
  const all = folders.map((folder): FolderToUpload => {
    return { name: folder.name, upload: (to) => void addFolder(folder, to) }
  })
  if (all.length > 0 && asksAboutFolders) askAboutFolders(all, target)
  else for (const { upload } of all) upload(target)
}

/** Adds the files of a picked folder. Asks if it should become a board. */
export function addPickedFolder(files: Iterable<File>, target: UploadTarget): void {
  const found = foundFiles(files)
  const topOf = (one: Found) => folderOf(one).split('/')[0] ?? ''
  const folders = [...Map.groupBy(found, topOf)].map(([name, inside]): FolderToUpload => {
    return { name, upload: (to) => addFiles(inside, to) }
  })
  if (folders.length > 0) askAboutFolders(folders, target)
}

const folderOf = (one: Found): string => ('found' in one ? one.found.folder : one.unreadable.folder)

/** Uploads a folder. The first files are sent while the folder is still being read. */
async function addFolder(folder: FileSystemEntry, target: UploadTarget): Promise<void> {
  startReading()
  try {
    for await (const files of walkEntries([folder])) addFiles(files, target)
  } finally {
    endReading()
  }
}

export function cancelUploads(uploadIds: readonly string[]): void {
  const ids = new Set(uploadIds)
  applyUploadEvent({ type: 'cancelled', uploadIds })
  abortRequests((uploadId) => ids.has(uploadId))
}

export const cancelAllUploads = (): void => cancelUploads(unfinishedIds())

export function retryUploads(uploadIds: readonly string[]): void {
  // After a reload, files that were not stored cannot be sent again.
  const ids = new Set(uploadIds.filter((id) => fileOf(id) !== undefined))
  applyUploadEvent({ type: 'retried', uploadIds: [...ids] })
  runUploads()
  persist(currentUploads().uploads.filter((one) => ids.has(one.uploadId) && isUnfinished(one)))
}

/** Uploads duplicates as second images. */
export function uploadDuplicates(uploadIds: readonly string[]): void {
  applyUploadEvent({ type: 'doubled', uploadIds })
  runUploads()
  const ids = new Set(uploadIds)
  persist(currentUploads().uploads.filter((one) => ids.has(one.uploadId) && isUnfinished(one)))
}

/** Removes duplicates from the queue. */
export function skipDuplicates(uploadIds: readonly string[]): void {
  applyUploadEvent({ type: 'skipped', uploadIds })
  forgetFiles(uploadIds)
}

/**
 * Moves the existing images to the boards of the duplicate uploads, and removes the duplicates from the queue.
 */
export function moveExistingImages(uploads: readonly Upload[]): void {
  for (const [boardId, group] of Map.groupBy(uploads, ({ target }) => target.boardId)) {
    const names = group.flatMap(({ sameImage }) => sameImage?.image_name ?? [])
    theGallery.outbox.move(names, boardId ?? UNCATEGORIZED_BOARD_ID)
  }
  skipDuplicates(uploads.map(({ uploadId }) => uploadId))
}

export const movableUploads = (): Upload[] => currentUploads().uploads.filter(canMoveHere)

export const duplicateIds = (): string[] =>
  currentUploads()
    .uploads.filter(({ status }) => status === 'known')
    .map(({ uploadId }) => uploadId)

export const retryFailedUploads = (): void =>
  retryUploads(
    currentUploads()
      .uploads.filter(({ status, canRetry }) => status === 'failed' && canRetry)
      .map(({ uploadId }) => uploadId),
  )

export function pauseUploads(): void {
  setPaused(true)
  abortRequests(() => true)
}

export function resumeUploads(): void {
  setPaused(false)
  runUploads()
}

/** Removes finished uploads from the tray. */
export function clearFinishedUploads(): void {
  const before = currentUploads().uploads
  applyUploadEvent({ type: 'cleared' })
  const left = new Set(currentUploads().uploads)
  forgetFiles(before.filter((upload) => !left.has(upload)).map(({ uploadId }) => uploadId))
}

/** Empties the tray. Duplicates are skipped. */
export function closeTray(): void {
  skipDuplicates(duplicateIds())
  clearFinishedUploads()
}

let isRestored = false

/** Restores the unfinished uploads of an earlier page. Call it after the page is rendered. */
export async function restoreUploads(): Promise<void> {
  if (isRestored) return
  isRestored = true
  const earlier = readEnded()
  onQueueChange(({ uploads, earlier }, before) => {
    if (uploads === before.uploads) return
    persistEnded(endedOf(uploads, earlier))
    forgetSettled(before.uploads, uploads)
    persistUndecided(before.uploads, uploads)
  })
  const left = await claimPersistedUploads(await tabQueue())
  const uploads = left.map(({ upload, file }): Upload => {
    if (file === null) {
      return toFailedUpload(upload, 'Not uploaded: the page was closed first. Add the file again.')
    }
    rememberFile(upload.uploadId, file)
    return upload.status === 'known' ? upload : { ...upload, status: 'waiting', sentBytes: 0 }
  })
  if (uploads.length === 0) return
  void forgetUploads(
    uploads.filter(({ status }) => status === 'failed').map(({ uploadId }) => uploadId),
  )
  setEarlierUploads(earlier)
  applyUploadEvent({ type: 'added', uploads })
  runUploads()
}

/** Releases the files of completed uploads, and deletes the stored records of settled ones. */
function forgetSettled(before: readonly Upload[], now: readonly Upload[]): void {
  const pending = idsOf(now.filter(isPending))
  const settled = idsOf(before.filter((one) => isPending(one) && !pending.has(one.uploadId)))
  if (settled.size === 0) return
  forgetFiles(idsOf(now.filter((one) => one.status === 'done' && settled.has(one.uploadId))))
  void forgetUploads([...settled])
}

/** Stores undecided duplicates, so that the user is asked again after a reload without a second upload. */
function persistUndecided(before: readonly Upload[], now: readonly Upload[]): void {
  const unfinished = idsOf(before.filter(isUnfinished))
  persist(now.filter(({ status, uploadId }) => status === 'known' && unfinished.has(uploadId)))
}

const idsOf = (uploads: readonly Upload[]): Set<string> =>
  new Set(uploads.map(({ uploadId }) => uploadId))
