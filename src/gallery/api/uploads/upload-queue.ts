import { UNCATEGORIZED_BOARD_ID } from '#contract/board.ts'
import { randomId } from '#gallery/api/connection/connection.ts'
import type { Outbox } from '#gallery/api/outbox/outbox.ts'
import {
  canMoveHere,
  isPending,
  isUnfinished,
  type NewFile,
  newUpload,
  type Upload,
  type UploadTarget,
} from './upload.ts'
import { UploadRunner, type UploadsApi } from './upload-runner.ts'
import { discardBytes, RESUMABLE_FROM_BYTES, uploadLimits } from './upload-sender.ts'
import { UploadStorage } from './upload-storage.ts'
import { UploadStore } from './upload-store.ts'
import { endedOf } from './upload-tally.ts'

interface UploadQueueApi extends UploadsApi {
  readonly outbox: Pick<Outbox, 'move'>
}

/** The uploads of this tab. They continue after a reload. */
export class UploadQueue {
  readonly store: UploadStore
  readonly #api: UploadQueueApi
  readonly #runner: UploadRunner
  readonly #storage = new UploadStorage()
  #queue: Promise<string> | null = null
  #isRestored = false
  /** The IDs of the pending uploads of a list, because one storing of thousands asks for each. */
  #pending: { of: readonly Upload[]; ids: Set<string> } = { of: [], ids: new Set() }

  constructor(api: UploadQueueApi) {
    this.#api = api
    this.store = new UploadStore(api.clock)
    this.#runner = new UploadRunner(api, this.store)
  }

  readonly limits = () => uploadLimits(this.#api)

  /** Sends waiting uploads now instead of at the scheduled time. */
  retryNow(): void {
    this.#runner.retryNow()
  }

  /**
   * Adds files. Those with a fault are listed as failed, the others are uploaded. A file that a reload lost goes on as
   * the same upload.
   */
  add(files: readonly NewFile[], target: UploadTarget): void {
    const lost = new Map(
      this.store
        .current()
        .uploads.flatMap((upload) =>
          upload.isFileLost ? [[keyOf(upload), upload.uploadId] as const] : [],
        ),
    )
    const found: string[] = []
    const uploads = files.flatMap(({ fault, file, ...described }): Upload[] => {
      const modifiedAt = file?.lastModified ?? null
      const upload = newUpload(randomId(), { ...described, modifiedAt }, target)
      if (file === undefined) return [toFailedUpload(upload, fault ?? '')]
      if (fault !== undefined) return [toFailedUpload(upload, fault)]
      const lostId = lost.get(keyOf(upload))
      this.store.files.set(lostId ?? upload.uploadId, file)
      if (lostId === undefined) return [upload]
      lost.delete(keyOf(upload))
      found.push(lostId)
      return []
    })
    for (const uploadId of found) this.store.apply({ type: 'file found', uploadId, target })
    this.store.apply({ type: 'added', uploads })
    this.#runner.run()
    this.#persist(uploads.filter(isUnfinished))
    this.#persist(this.store.current().uploads.filter(({ uploadId }) => found.includes(uploadId)))
  }

  cancel(uploadIds: readonly string[]): void {
    const ids = new Set(uploadIds)
    const cancelled = this.store.current().uploads.filter(({ uploadId }) => ids.has(uploadId))
    this.store.apply({ type: 'cancelled', uploadIds })
    this.#runner.abort((uploadId) => ids.has(uploadId))
    this.#discard(cancelled)
  }

  readonly cancelAll = (): void => this.cancel(this.store.idsOf(isUnfinished))

  retry(uploadIds: readonly string[]): void {
    // After a reload, files that were not stored cannot be sent again.
    this.#sendAgain(
      'retried',
      uploadIds.filter((uploadId) => this.store.files.has(uploadId)),
    )
  }

  /** Uploads duplicates as second images. */
  uploadDuplicates(uploadIds: readonly string[]): void {
    this.#sendAgain('doubled', uploadIds)
  }

  skipDuplicates(uploadIds: readonly string[]): void {
    const ids = new Set(uploadIds)
    this.#discard(this.store.current().uploads.filter(({ uploadId }) => ids.has(uploadId)))
    this.store.apply({ type: 'skipped', uploadIds })
    this.store.forgetFiles(uploadIds)
  }

  /** Moves the existing images to the boards of the duplicates, and removes the duplicates from the queue. */
  moveExistingImages(uploads: readonly Upload[]): void {
    for (const [boardId, group] of Map.groupBy(uploads, ({ target }) => target.boardId)) {
      const names = group.flatMap(({ sameImage }) => sameImage?.image_name ?? [])
      this.#api.outbox.move(names, boardId ?? UNCATEGORIZED_BOARD_ID)
    }
    this.skipDuplicates(uploads.map(({ uploadId }) => uploadId))
  }

  readonly movable = (): Upload[] => this.store.current().uploads.filter(canMoveHere)

  readonly duplicateIds = (): string[] => this.store.idsOf(({ status }) => status === 'known')

  readonly retryFailed = (): void =>
    this.retry(this.store.idsOf(({ status, canRetry }) => status === 'failed' && canRetry))

  pause(): void {
    this.store.setPaused(true)
    this.#runner.abort(() => true)
  }

  resume(): void {
    this.store.setPaused(false)
    this.#runner.run()
  }

  clearFinished(): void {
    const before = this.store.current().uploads
    this.store.apply({ type: 'cleared' })
    const left = new Set(this.store.current().uploads)
    const gone = before.filter((upload) => !left.has(upload))
    this.store.forgetFiles(idsOf(gone))
    const lost = gone.filter(({ isFileLost }) => isFileLost)
    void this.#storage.forget([...idsOf(lost)])
    this.#discard(lost)
  }

  /** Empties the tray. Duplicates are skipped. */
  close(): void {
    this.skipDuplicates(this.duplicateIds())
    this.clearFinished()
  }

  /** Restores the unfinished uploads of an earlier page. Call it after the first images are drawn. */
  async restore(): Promise<void> {
    if (this.#isRestored) return
    this.#isRestored = true
    const earlier = this.#storage.readEnded()
    this.store.onChange(({ uploads, earlier }, before) => {
      if (uploads === before.uploads) return
      this.#storage.saveEnded(endedOf(uploads, earlier))
      this.#forgetSettled(before.uploads, uploads)
      this.#persistUndecided(before.uploads, uploads)
    })
    const left = await this.#storage.claim(await this.#tabQueue())
    // Files may have been added meanwhile. They are stored too.
    const added = idsOf(this.store.current().uploads)
    const ofBefore = left.filter(({ upload }) => !added.has(upload.uploadId))
    const uploads = ofBefore.map(({ upload: stored, file }): Upload => {
      // An older version of the page stored fewer fields.
      const upload = { ...newUpload(stored.uploadId, stored, stored.target), ...stored }
      if (file === null) return { ...toFailedUpload(upload, FILE_LOST), isFileLost: true }
      this.store.files.set(upload.uploadId, file)
      return upload.status === 'known'
        ? upload
        : { ...upload, status: 'waiting', sentBytes: 0, foundBytes: 0 }
    })
    if (uploads.length === 0) return
    // The bytes of a large file may be at the server, until its file is added again.
    const failed = uploads.filter(
      ({ status, bytes }) => status === 'failed' && bytes <= RESUMABLE_FROM_BYTES,
    )
    void this.#storage.forget([...idsOf(failed)])
    this.store.setEarlier(earlier)
    this.store.apply({ type: 'added', uploads })
    this.#runner.run()
  }

  /** Deletes what the server keeps of uploads that the user does not want. */
  #discard(uploads: readonly Upload[]): void {
    for (const { uploadId, bytes, isResumable, isFileLost } of uploads) {
      const isKept = isResumable || (isFileLost && bytes > RESUMABLE_FROM_BYTES)
      if (isKept) void discardBytes(this.#api, uploadId)
    }
  }

  readonly #tabQueue = (): Promise<string> => {
    this.#queue ??= this.#storage.open()
    return this.#queue
  }

  #sendAgain(type: 'retried' | 'doubled', uploadIds: readonly string[]): void {
    this.store.apply({ type, uploadIds })
    this.#runner.run()
    const ids = new Set(uploadIds)
    this.#persist(
      this.store.current().uploads.filter((one) => ids.has(one.uploadId) && isUnfinished(one)),
    )
  }

  #persist(uploads: readonly Upload[]): void {
    if (uploads.length === 0) return
    void this.#tabQueue().then((queueId) =>
      this.#storage.save(queueId, uploads, (uploadId) => this.#pendingFileOf(uploadId)),
    )
  }

  #pendingFileOf(uploadId: string): File | undefined {
    const { uploads } = this.store.current()
    if (this.#pending.of !== uploads) {
      this.#pending = { of: uploads, ids: idsOf(uploads.filter(isPending)) }
    }
    return this.#pending.ids.has(uploadId) ? this.store.files.get(uploadId) : undefined
  }

  /** Releases the files of completed uploads, and deletes the stored records of settled ones. */
  #forgetSettled(before: readonly Upload[], now: readonly Upload[]): void {
    const pending = idsOf(now.filter(isPending))
    const settled = idsOf(before.filter((one) => isPending(one) && !pending.has(one.uploadId)))
    if (settled.size === 0) return
    this.store.forgetFiles(
      idsOf(now.filter((one) => one.status === 'done' && settled.has(one.uploadId))),
    )
    void this.#storage.forget([...settled])
  }

  /** Stores undecided duplicates, so that the user is asked again after a reload without a second upload. */
  #persistUndecided(before: readonly Upload[], now: readonly Upload[]): void {
    const unfinished = idsOf(before.filter(isUnfinished))
    this.#persist(
      now.filter(({ status, uploadId }) => status === 'known' && unfinished.has(uploadId)),
    )
  }
}

const FILE_LOST = 'Not uploaded: the page was closed first. Add the file again.'

/** Two files with the same key are taken for the same one. */
const keyOf = ({ fileName, bytes, modifiedAt }: Upload): string =>
  JSON.stringify([fileName, bytes, modifiedAt])

const toFailedUpload = (upload: Upload, reason: string): Upload => ({
  ...upload,
  status: 'failed',
  reason,
  canRetry: false,
})

const idsOf = (uploads: readonly Upload[]): Set<string> =>
  new Set(uploads.map(({ uploadId }) => uploadId))
