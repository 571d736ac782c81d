import type { NewFile, UploadTarget } from '#gallery/api/uploads/upload.ts'
import type { UploadQueue } from '#gallery/api/uploads/upload-queue.ts'
import { foundFiles } from '#gallery/uploads/drop/chosen-files.ts'
import { askAboutFolders, type FolderToUpload } from '#gallery/uploads/drop/folders-to-ask.ts'
import { type Found, walkEntries } from '#gallery/uploads/drop/walk-entries.ts'
import { type FileLimits, faultOf } from './file-fault.ts'

/** Time for reading files between two frames, in milliseconds. The size of each file waits for the browser's process. */
const SLICE_MS = 8

/** Time between two additions to the tray, in milliseconds. Each one counts all uploads again. */
const ADD_MS = 200

/** Items of a drop that are all asked whether they are folders, which waits half a millisecond for each one. */
const MAX_ASKED = 50

/**
 * Uploads files that were dropped, pasted or picked. Files that cannot be uploaded are listed as failed. The first files
 * are added at once, and the others in slices, so that thousands of files do not block the page.
 */
export async function addFiles(
  uploads: UploadQueue,
  found: readonly Found[],
  target: UploadTarget,
): Promise<void> {
  const limits = uploads.limits()
  uploads.store.startReading()
  try {
    let ready: NewFile[] = []
    let addedAt = Number.NEGATIVE_INFINITY
    let sliceEnd = performance.now() + SLICE_MS
    for (const one of found) {
      ready.push(newFileOf(one, limits))
      const now = performance.now()
      if (now < sliceEnd) continue
      if (now - addedAt > ADD_MS) {
        uploads.add(ready, target)
        ready = []
        addedAt = now
      }
      await yieldToPage()
      sliceEnd = performance.now() + SLICE_MS
    }
    uploads.add(ready, target)
  } finally {
    uploads.store.endReading()
  }
}

function newFileOf({ name, folder, file }: Found, limits: FileLimits): NewFile {
  const described = { fileName: name, folder, bytes: file?.size ?? 0 }
  if (file === null) {
    return { ...described, fault: 'The file could not be opened. It may be locked or deleted.' }
  }
  const fault = faultOf({ name: file.name, type: file.type, size: described.bytes }, limits)
  return { ...described, file, ...(fault !== null && { fault }) }
}

/** Lets the page handle input and draw a frame. */
const yieldToPage = (): Promise<unknown> => new Promise((resolve) => setTimeout(resolve))

/** Adds dropped files and folders. Call it in the event handler: the browser clears the data transfer afterwards. */
export function addDroppedItems(
  uploads: UploadQueue,
  transfer: DataTransfer,
  target: UploadTarget,
  onFolders: (folders: readonly FolderToUpload[]) => void,
): void {
  const files: File[] = []
  const folders: FileSystemEntry[] = []
  for (const item of transfer.items) {
    if (item.kind !== 'file') continue
    // A folder has a media type only if it is named like a file, such as `trip.png`. Asking about each file would block
    // the page during a large drop.
    const isAsked = item.type === '' || transfer.items.length <= MAX_ASKED
    const entry = isAsked ? item.webkitGetAsEntry() : null
    const file = item.getAsFile()
    if (entry?.isDirectory) folders.push(entry)
    else if (file) files.push(file)
  }
  if (files.length > 0) void addFiles(uploads, foundFiles(files), target)
  const all = folders.map((folder): FolderToUpload => {
    return { name: folder.name, upload: (to) => void addFolder(uploads, folder, to) }
  })
  if (all.length > 0) onFolders(all)
}

/** Adds the files of a picked folder. Asks if it should become a board. */
export function addPickedFolder(
  uploads: UploadQueue,
  files: Iterable<File>,
  target: UploadTarget,
): void {
  const found = foundFiles(files)
  const topOf = ({ folder }: Found) => folder.split('/')[0] ?? ''
  const folders = [...Map.groupBy(found, topOf)].map(([name, inside]): FolderToUpload => {
    return { name, upload: (to) => void addFiles(uploads, inside, to) }
  })
  if (folders.length > 0) askAboutFolders(folders, target)
}

/** Uploads a folder. The first files are sent while the folder is still being read. */
async function addFolder(
  uploads: UploadQueue,
  folder: FileSystemEntry,
  target: UploadTarget,
): Promise<void> {
  uploads.store.startReading()
  try {
    for await (const files of walkEntries([folder])) await addFiles(uploads, files, target)
  } finally {
    uploads.store.endReading()
  }
}
