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
import { uploadLimits } from './upload-sender.ts'
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

  /** Adds files. Those with a fault are listed as failed, the others are uploaded. */
  add(files: readonly NewFile[], target: UploadTarget): void {
    const uploads = files.map(({ fault, file, ...described }): Upload => {
      const upload = newUpload(randomId(), described, target)
      if (file === undefined) return toFailedUpload(upload, fault ?? '')
      if (fault !== undefined) return toFailedUpload(upload, fault)
      this.store.files.set(upload.uploadId, file)
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
    this.store.forgetFiles(idsOf(before.filter((upload) => !left.has(upload))))
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
      this.store.files.set(upload.uploadId, file)
      return upload.status === 'known' ? upload : { ...upload, status: 'waiting', sentBytes: 0 }
    })
    if (uploads.length === 0) return
    void this.#storage.forget([...idsOf(uploads.filter(({ status }) => status === 'failed'))])
    this.store.setEarlier(earlier)
    this.store.apply({ type: 'added', uploads })
    this.#runner.run()
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

const toFailedUpload = (upload: Upload, reason: string): Upload => ({
  ...upload,
  status: 'failed',
  reason,
  canRetry: false,
})

const idsOf = (uploads: readonly Upload[]): Set<string> =>
  new Set(uploads.map(({ uploadId }) => uploadId))
