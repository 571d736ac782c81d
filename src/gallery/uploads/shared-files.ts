import { createStore, entries } from 'idb-keyval'
import { create } from 'zustand'
import type { UploadTarget } from '#gallery/api/uploads/upload.ts'
import type { UploadQueue } from '#gallery/api/uploads/upload-queue.ts'
import { addFiles } from './add-files.ts'

/** IndexedDB store of the service worker: the files of each share, with keys that sort by time. */
const store = createStore('tessera-shared', 'shares')

interface SharedFiles {
  readonly keys: readonly string[]
  readonly files: readonly File[]
  /** Reason why the last share was not stored; null if it was stored or there was none. */
  readonly fault: ShareFault | null
}

const FAULTS = ['empty', 'too-much', 'failed'] as const
export type ShareFault = (typeof FAULTS)[number]

const NONE: SharedFiles = { keys: [], files: [], fault: null }
const useShares = create<SharedFiles>(() => NONE)

/** The files that were shared with the installed app, oldest first, and the reason if the last share failed. */
export const useSharedFiles = (): SharedFiles => useShares()
export const useHasShares = (): boolean =>
  useShares(({ files, fault }) => files.length > 0 || fault !== null)

/**
 * Reads the waiting shared files, which makes the page ask about them.
 *
 * @param outcome - Outcome of the share that opened the page, as reported by the service worker. Any link can
 *   contain one.
 */
export async function readShares(outcome: string | null): Promise<void> {
  const shares = await waitingShares()
  const fault = FAULTS.find((one) => one === outcome) ?? null
  useShares.setState({
    keys: shares.map(([key]) => key),
    files: shares.flatMap((s) => s[1]),
    fault,
  })
}

async function waitingShares(): Promise<[string, File[]][]> {
  try {
    return await entries<string, File[]>(store)
  } catch {
    // The browser forbids storage, as in some private windows.
    return []
  }
}

/** Closes the question until the next page load. */
export const postponeShares = (): void => useShares.setState(NONE)

export async function addShares(uploads: UploadQueue, target: UploadTarget): Promise<void> {
  const files = await takeShares()
  await addFiles(
    uploads,
    files.map((file) => ({ name: file.name, folder: '', file })),
    target,
  )
}

export const discardShares = async (): Promise<void> => void (await takeShares())

/** Removes the shares that the page asked about and returns their files. Of several tabs, the first gets them. */
async function takeShares(): Promise<File[]> {
  const { keys, files } = useShares.getState()
  postponeShares()
  try {
    return (await Promise.all(keys.map(takeShare))).flat()
  } catch {
    return [...files] // Storage failed. Asking again later is better than losing files.
  }
}

const takeShare = (key: string): Promise<File[]> =>
  store('readwrite', (shares) => {
    const request: IDBRequest<File[] | undefined> = shares.get(key)
    shares.delete(key)
    return new Promise((resolve, reject) => {
      shares.transaction.oncomplete = () => resolve(request.result ?? [])
      shares.transaction.onabort = () => reject(shares.transaction.error)
    })
  })
