import type { UploadTarget } from '#gallery/api/uploads/upload.ts'
import type { UploadQueue } from '#gallery/api/uploads/upload-queue.ts'
import { foundFiles } from '#gallery/uploads/drop/chosen-files.ts'
import { askAboutFolders, type FolderToUpload } from '#gallery/uploads/drop/folder-question.tsx'
import { type Found, walkEntries } from '#gallery/uploads/drop/walk-entries.ts'
import { faultOf } from './file-fault.ts'

/** Uploads files that were dropped, pasted or picked. Files that cannot be uploaded are listed as failed. */
export function addFiles(
  uploads: UploadQueue,
  found: readonly Found[],
  target: UploadTarget,
): void {
  const limits = uploads.limits()
  const files = found.map(({ name, folder, file }) => {
    const described = { fileName: name, folder, bytes: file?.size ?? 0 }
    if (file === null) {
      return { ...described, fault: 'The file could not be opened. It may be locked or deleted.' }
    }
    const fault = faultOf(file, limits)
    return { ...described, file, ...(fault !== null && { fault }) }
  })
  uploads.add(files, target)
}

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
    const entry = item.webkitGetAsEntry()
    const file = item.getAsFile()
    if (entry?.isDirectory) folders.push(entry)
    else if (file) files.push(file)
  }
  if (files.length > 0) addFiles(uploads, foundFiles(files), target)
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
    return { name, upload: (to) => addFiles(uploads, inside, to) }
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
    for await (const files of walkEntries([folder])) addFiles(uploads, files, target)
  } finally {
    uploads.store.endReading()
  }
}
