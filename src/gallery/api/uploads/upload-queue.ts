import { UNCATEGORIZED_BOARD_ID } from '#contract/board.ts'
import type { Clock } from '#gallery/api/clock.ts'
import type { NewImages } from '#gallery/api/images/new-images.ts'
import type { Outbox } from '#gallery/api/outbox/outbox.ts'
import {
  canMoveHere,
  isPending,
  isUnfinished,
  type NewFile,
  newUpload,
  newUploadId,
  type Upload,
  type UploadTarget,
} from './upload.ts'
import { UploadRunner } from './upload-runner.ts'
import type { UploadSender } from './upload-sender.ts'
import { UploadStorage } from './upload-storage.ts'
import { UploadStore } from './upload-store.ts'
import { endedOf } from './upload-tally.ts'

interface UploadQueueOptions {
  readonly clock: Clock
  readonly outbox: Outbox
  readonly sender: UploadSender
  readonly newImages: NewImages
}

/** The uploads of this tab. They continue after a reload. */
export class UploadQueue {
  readonly store: UploadStore
  readonly #outbox: Outbox
  readonly #runner: UploadRunner
  readonly #sender: UploadSender
  readonly #storage = new UploadStorage()
  #queue: Promise<string> | null = null
  #isRestored = false

  constructor({ clock, outbox, sender, newImages }: UploadQueueOptions) {
    this.store = new UploadStore(clock)
    this.#outbox = outbox
    this.#sender = sender
    this.#runner = new UploadRunner({ clock, sender, newImages, store: this.store })
  }

  /** The limits of the server for files. */
  limits() {
    return this.#sender.limits()
  }

  /** Returns the file of an unfinished upload. */
  fileOf(uploadId: string): File | undefined {
    return this.#runner.fileOf(uploadId)
  }

  /** Sends waiting uploads now instead of at the scheduled time. */
  retryNow(): void {
    this.#runner.retryNow()
  }

  /** Adds files. Those with a fault are listed as failed, the others are uploaded. */
  add(files: readonly NewFile[], target: UploadTarget): void {
    const uploads = files.map(({ fault, file, ...described }): Upload => {
      const upload = newUpload(newUploadId(), described, target)
      if (file === undefined) return toFailedUpload(upload, fault ?? '')
      if (fault !== undefined) return toFailedUpload(upload, fault)
      this.#runner.rememberFile(upload.uploadId, file)
      return upload
    })
    this.store.apply({ type: 'added', uploads })
    this.#runner.run()
    this.#persist(uploads.filter(isUnfinished))
  }

  cancel(uploadIds: readonly string[]): void {
    const ids = new Set(uploadIds)
    this.store.apply({ type: 'cancelled', uploadIds })
    this.#runner.abort((uploadId) => ids.has(uploadId))
  }

  readonly cancelAll = (): void => this.cancel(this.store.unfinishedIds())

  retry(uploadIds: readonly string[]): void {
    // After a reload, files that were not stored cannot be sent again.
    const ids = new Set(uploadIds.filter((id) => this.#runner.fileOf(id) !== undefined))
    this.store.apply({ type: 'retried', uploadIds: [...ids] })
    this.#runner.run()
    this.#persist(
      this.store.current().uploads.filter((one) => ids.has(one.uploadId) && isUnfinished(one)),
    )
  }

  /** Uploads duplicates as second images. */
  uploadDuplicates(uploadIds: readonly string[]): void {
    this.store.apply({ type: 'doubled', uploadIds })
    this.#runner.run()
    const ids = new Set(uploadIds)
    this.#persist(
      this.store.current().uploads.filter((one) => ids.has(one.uploadId) && isUnfinished(one)),
    )
  }

  /** Removes duplicates from the queue. */
  skipDuplicates(uploadIds: readonly string[]): void {
    this.store.apply({ type: 'skipped', uploadIds })
    this.#runner.forgetFiles(uploadIds)
  }

  /**
   * Moves the existing images to the boards of the duplicate uploads, and removes the duplicates from the queue.
   */
  moveExistingImages(uploads: readonly Upload[]): void {
    for (const [boardId, group] of Map.groupBy(uploads, ({ target }) => target.boardId)) {
      const names = group.flatMap(({ sameImage }) => sameImage?.image_name ?? [])
      this.#outbox.move(names, boardId ?? UNCATEGORIZED_BOARD_ID)
    }
    this.skipDuplicates(uploads.map(({ uploadId }) => uploadId))
  }

  readonly movable = (): Upload[] => this.store.current().uploads.filter(canMoveHere)

  readonly duplicateIds = (): string[] =>
    this.store
      .current()
      .uploads.filter(({ status }) => status === 'known')
      .map(({ uploadId }) => uploadId)

  readonly retryFailed = (): void =>
    this.retry(
      this.store
        .current()
        .uploads.filter(({ status, canRetry }) => status === 'failed' && canRetry)
        .map(({ uploadId }) => uploadId),
    )

  pause(): void {
    this.store.setPaused(true)
    this.#runner.abort(() => true)
  }

  resume(): void {
    this.store.setPaused(false)
    this.#runner.run()
  }

  /** Removes finished uploads from the tray. */
  clearFinished(): void {
    const before = this.store.current().uploads
    this.store.apply({ type: 'cleared' })
    const left = new Set(this.store.current().uploads)
    this.#runner.forgetFiles(
      before.filter((upload) => !left.has(upload)).map(({ uploadId }) => uploadId),
    )
  }

  /** Empties the tray. Duplicates are skipped. */
  close(): void {
    this.skipDuplicates(this.duplicateIds())
    this.clearFinished()
  }

  /** Restores the unfinished uploads of an earlier page. Call it after the page is rendered. */
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
    const uploads = left.map(({ upload, file }): Upload => {
      if (file === null) {
        return toFailedUpload(
          upload,
          'Not uploaded: the page was closed first. Add the file again.',
        )
      }
      this.#runner.rememberFile(upload.uploadId, file)
      return upload.status === 'known' ? upload : { ...upload, status: 'waiting', sentBytes: 0 }
    })
    if (uploads.length === 0) return
    void this.#storage.forget(
      uploads.filter(({ status }) => status === 'failed').map(({ uploadId }) => uploadId),
    )
    this.store.setEarlier(earlier)
    this.store.apply({ type: 'added', uploads })
    this.#runner.run()
  }

  readonly #tabQueue = (): Promise<string> => {
    this.#queue ??= this.#storage.open(newUploadId)
    return this.#queue
  }

  #persist(uploads: readonly Upload[]): void {
    if (uploads.length === 0) return
    void this.#tabQueue().then((queueId) =>
      this.#storage.save(queueId, uploads, (uploadId) => this.#pendingFileOf(uploadId)),
    )
  }

  #pendingFileOf(uploadId: string): File | undefined {
    const upload = this.store.current().uploads.find((one) => one.uploadId === uploadId)
    return upload && isPending(upload) ? this.#runner.fileOf(uploadId) : undefined
  }

  /** Releases the files of completed uploads, and deletes the stored records of settled ones. */
  #forgetSettled(before: readonly Upload[], now: readonly Upload[]): void {
    const pending = idsOf(now.filter(isPending))
    const settled = idsOf(before.filter((one) => isPending(one) && !pending.has(one.uploadId)))
    if (settled.size === 0) return
    this.#runner.forgetFiles(
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

const toFailedUpload = (upload: Upload, reason: string): Upload => ({
  ...upload,
  status: 'failed',
  reason,
  canRetry: false,
})

const idsOf = (uploads: readonly Upload[]): Set<string> =>
  new Set(uploads.map(({ uploadId }) => uploadId))
