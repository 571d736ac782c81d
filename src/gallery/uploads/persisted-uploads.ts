import { createStore, delMany, entries, setMany } from 'idb-keyval'
import { type EarlierUploads, NONE_EARLIER } from '#gallery/uploads/tray/upload-tally.ts'
import type { Upload } from './upload.ts'

/** What is kept of an upload until it is settled. `file` null: only its name was kept. */
export interface PersistedUpload {
  readonly queueId: string
  readonly upload: Upload
  readonly file: File | null
}

/** Bytes of files that are kept for a reload. Beyond that only names are. */
const MAX_PERSISTED_BYTES = 500_000_000

const store = createStore('tessera-uploads', 'uploads')
const persistedBytes = new Map<string, number>()

const hasRoomFor = (uploadId: string, bytes: number): boolean =>
  [...persistedBytes].reduce((sum, [id, kept]) => (id === uploadId ? sum : sum + kept), bytes) <=
  MAX_PERSISTED_BYTES

/**
 * Keeps uploads for a reload: names at once, then the files one after another while there is room.
 * Storage that is full, forbidden or missing costs only that; uploading goes on.
 */
export async function persistUploads(
  queueId: string,
  uploads: readonly Upload[],
  pendingFileOf: (uploadId: string) => File | undefined,
): Promise<void> {
  try {
    await setMany(
      uploads.map((upload) => [upload.uploadId, { queueId, upload, file: null }]),
      store,
    )
    for (const upload of uploads) {
      // It may have been settled in the meantime.
      const file = pendingFileOf(upload.uploadId)
      if (file === undefined) await forgetUploads([upload.uploadId])
      else if (hasRoomFor(upload.uploadId, file.size)) await persistFile(queueId, upload, file)
    }
  } catch {
    // A private window, or a full disk.
  }
}

async function persistFile(queueId: string, upload: Upload, file: File): Promise<void> {
  persistedBytes.set(upload.uploadId, file.size)
  await setMany([[upload.uploadId, { queueId, upload, file }]], store)
}

/** Uploads that are settled need no keeping. */
export async function forgetUploads(uploadIds: readonly string[]): Promise<void> {
  for (const uploadId of uploadIds) persistedBytes.delete(uploadId)
  await delMany([...uploadIds], store).catch(() => {})
}

/** What an earlier page of this queue left, and what tabs left that are closed now. */
export async function claimPersistedUploads(queueId: string): Promise<PersistedUpload[]> {
  const all = await entries<string, PersistedUpload>(store).catch(() => [])
  const taken: PersistedUpload[] = []
  for (const [, kept] of all) {
    if (kept.queueId !== queueId && !(await isAbandoned(kept.queueId))) continue
    taken.push(kept)
    if (kept.file !== null) persistedBytes.set(kept.upload.uploadId, kept.file.size)
  }
  const others = taken.filter((kept) => kept.queueId !== queueId)
  await setMany(
    others.map((kept) => [kept.upload.uploadId, { ...kept, queueId }]),
    store,
  ).catch(() => {})
  return taken
}

const lockOf = (queueId: string) => `tessera:uploads:${queueId}`

/**
 * The queue of this tab. It outlives a reload, and is held by a lock as long as the tab is open; a
 * duplicated tab, which inherits the id, finds the lock taken and gets a queue of its own.
 */
export async function openQueue(newId: () => string): Promise<string> {
  const inherited = readSession()
  const queueId = inherited !== null && (await isAbandoned(inherited, true)) ? inherited : newId()
  writeSession(queueId)
  void navigator.locks?.request(lockOf(queueId), () => new Promise(() => {}))
  return queueId
}

/** Whether no tab holds a queue. Plain http has no locks: there a tab answers for its own queue alone. */
async function isAbandoned(queueId: string, isOwn = false): Promise<boolean> {
  if (!navigator.locks) return isOwn
  return navigator.locks.request(lockOf(queueId), { ifAvailable: true }, (lock) => lock !== null)
}

const SESSION_KEY = 'tessera:upload-queue'

function readSession(): string | null {
  try {
    return window.sessionStorage.getItem(SESSION_KEY)
  } catch {
    return null
  }
}

function writeSession(queueId: string): void {
  try {
    window.sessionStorage.setItem(SESSION_KEY, queueId)
  } catch {
    // Forbidden: nothing is picked up after a reload then.
  }
}

const ENDED_KEY = 'tessera:uploads-ended'

/** Remembers what has ended of this tab's queue, so that the numbers of the tray survive a reload. */
export function persistEnded(ended: EarlierUploads): void {
  try {
    window.sessionStorage.setItem(ENDED_KEY, JSON.stringify(ended))
  } catch {
    // Forbidden or full: only the numbers are wrong after a reload.
  }
}

/** What {@link persistEnded} remembered before the reload. */
export function readEnded(): EarlierUploads {
  try {
    const stored = window.sessionStorage.getItem(ENDED_KEY)
    return { ...NONE_EARLIER, ...JSON.parse(stored ?? '{}') }
  } catch {
    return NONE_EARLIER
  }
}
