import { createStore, entries } from 'idb-keyval'
import { create } from 'zustand'
import type { UploadTarget } from './upload.ts'
import { addFiles } from './upload-actions.ts'

/** What the service worker stored: the files of each share, by a key that sorts by time. */
const store = createStore('tessera-shared', 'shares')

interface SharedFiles {
  readonly keys: readonly string[]
  readonly files: readonly File[]
  /** Why the last share was not stored. null: it was, or there was none. */
  readonly fault: ShareFault | null
}

const FAULTS = ['empty', 'too-much', 'failed'] as const
export type ShareFault = (typeof FAULTS)[number]

const NONE: SharedFiles = { keys: [], files: [], fault: null }
const useShares = create<SharedFiles>(() => NONE)

/** Files that were shared with the installed page, oldest first, and why the last share failed. */
export const useSharedFiles = (): SharedFiles => useShares()
export const useHasShares = (): boolean =>
  useShares(({ files, fault }) => files.length > 0 || fault !== null)

/**
 * Reads the shared files that wait, so that the page asks about them.
 *
 * @param outcome - What the service worker says of the share that opened the page. Any link can have one.
 */
export async function readShares(outcome: string | null): Promise<void> {
  // Storage is missing in some private windows.
  const shares = await entries<string, File[]>(store).catch(() => [])
  const fault = FAULTS.find((one) => one === outcome) ?? null
  useShares.setState({
    keys: shares.map(([key]) => key),
    files: shares.flatMap((s) => s[1]),
    fault,
  })
}

/** Stops asking until the page is loaded again. */
export const postponeShares = (): void => useShares.setState(NONE)

/** Uploads the shared files. */
export async function addShares(target: UploadTarget): Promise<void> {
  const files = await takeShares()
  addFiles(
    files.map((file) => ({ found: { file, folder: '' } })),
    target,
  )
}

export const discardShares = async (): Promise<void> => void (await takeShares())

/** Removes the shares that the page asked about. Another tab may have asked too: the first one gets the files. */
async function takeShares(): Promise<File[]> {
  const { keys, files } = useShares.getState()
  postponeShares()
  try {
    return (await Promise.all(keys.map(takeShare))).flat()
  } catch {
    return [...files] // Storage fails: better to ask twice than to lose files.
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
