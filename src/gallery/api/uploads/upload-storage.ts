import { createStore, delMany, entries, setMany } from 'idb-keyval'
import { readStored, store } from '#gallery/api/browser-storage.ts'
import { randomId } from '#gallery/api/connection/connection.ts'
import type { Upload } from './upload.ts'
import { type EarlierUploads, NONE_EARLIER } from './upload-tally.ts'

/** Record of an unsettled upload in IndexedDB. `file` is null if only the name was stored. */
export interface PersistedUpload {
  readonly queueId: string
  readonly upload: Upload
  readonly file: File | null
}

/** Maximum total bytes of stored files. Beyond it only file names are stored. */
const MAX_PERSISTED_BYTES = 500_000_000

const SESSION_KEY = 'tessera:upload-queue'

const ENDED_KEY = 'tessera:uploads-ended'

/** Stores the uploads of this tab in the browser, so that they survive a reload. */
export class UploadStorage {
  readonly #store = createStore('tessera-uploads', 'uploads')
  readonly #persistedBytes = new Map<string, number>()
  #totalBytes = 0

  /**
   * Stores uploads so that they survive a reload: first all names, then the files one after another while there
   * is room. If storage is full, forbidden or missing, the uploads continue without it.
   */
  async save(
    queueId: string,
    uploads: readonly Upload[],
    pendingFileOf: (uploadId: string) => File | undefined,
  ): Promise<void> {
    try {
      await setMany(
        uploads.map((upload) => [upload.uploadId, { queueId, upload, file: null }]),
        this.#store,
      )
      for (const upload of uploads) {
        // The upload may have been settled in the meantime.
        const file = pendingFileOf(upload.uploadId)
        if (file === undefined) await this.forget([upload.uploadId])
        else if (this.#takeRoom(upload)) {
          await setMany([[upload.uploadId, { queueId, upload, file }]], this.#store)
        }
      }
    } catch {
      // Private window or full disk.
    }
  }

  async forget(uploadIds: readonly string[]): Promise<void> {
    for (const uploadId of uploadIds) this.#setBytes(uploadId, 0)
    try {
      await delMany([...uploadIds], this.#store)
    } catch {
      // The browser forbids storage.
    }
  }

  /** Moves the unsettled uploads of the previous page and of closed tabs to this queue, and returns them. */
  async claim(queueId: string): Promise<PersistedUpload[]> {
    const all = await this.#storedEntries()
    const claimed: PersistedUpload[] = []
    for (const [, record] of all) {
      if (record.queueId !== queueId && !(await this.#isAbandoned(record.queueId))) continue
      claimed.push(record)
      if (record.file !== null) this.#setBytes(record.upload.uploadId, record.upload.bytes)
    }
    const others = claimed.filter((record) => record.queueId !== queueId)
    try {
      await setMany(
        others.map((record) => [record.upload.uploadId, { ...record, queueId }]),
        this.#store,
      )
    } catch {
      // The browser forbids storage.
    }
    return claimed
  }

  /**
   * Returns the id of this tab's queue. The id survives a reload, and a lock marks it as in use while the tab is
   * open. A duplicated tab inherits the id, finds the lock claimed and gets a new queue.
   */
  async open(): Promise<string> {
    const inherited = readStored(SESSION_KEY, 'sessionStorage')
    const queueId =
      inherited !== null && (await this.#isAbandoned(inherited, true)) ? inherited : randomId()
    store(SESSION_KEY, queueId, 'sessionStorage')
    // Rejected where the browser forbids storage.
    navigator.locks?.request(lockOf(queueId), () => new Promise(() => {})).catch(() => {})
    return queueId
  }

  /** Stores the counts of settled uploads, so that the totals of the tray survive a reload. */
  saveEnded(ended: EarlierUploads): void {
    store(ENDED_KEY, JSON.stringify(ended), 'sessionStorage')
  }

  /** Reads the counts that {@link saveEnded} stored before the reload. */
  readEnded(): EarlierUploads {
    try {
      return { ...NONE_EARLIER, ...JSON.parse(readStored(ENDED_KEY, 'sessionStorage') ?? '{}') }
    } catch {
      // Not JSON. Uploads must start even so: only the totals are wrong.
      return NONE_EARLIER
    }
  }

  async #storedEntries(): Promise<[string, PersistedUpload][]> {
    try {
      return await entries<string, PersistedUpload>(this.#store)
    } catch {
      return []
    }
  }

  /** Counts the bytes of an upload if there is room for them. Returns false if there is not. */
  #takeRoom({ uploadId, bytes }: Upload): boolean {
    const others = this.#totalBytes - (this.#persistedBytes.get(uploadId) ?? 0)
    if (others + bytes > MAX_PERSISTED_BYTES) return false
    this.#setBytes(uploadId, bytes)
    return true
  }

  #setBytes(uploadId: string, bytes: number): void {
    this.#totalBytes += bytes - (this.#persistedBytes.get(uploadId) ?? 0)
    if (bytes === 0) this.#persistedBytes.delete(uploadId)
    else this.#persistedBytes.set(uploadId, bytes)
  }

  /** True if no open tab uses the queue. Without locks (plain HTTP), only the queue of this tab counts as abandoned. */
  async #isAbandoned(queueId: string, isOwn = false): Promise<boolean> {
    if (!navigator.locks) return isOwn
    return navigator.locks
      .request(lockOf(queueId), { ifAvailable: true }, (lock) => lock !== null)
      .catch(() => isOwn)
  }
}

const lockOf = (queueId: string) => `tessera:uploads:${queueId}`
