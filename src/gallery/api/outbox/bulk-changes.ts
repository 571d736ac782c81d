import { queryOptions } from '@tanstack/react-query'
import type { TesseraClient } from '#client/index.ts'
import type { Clock } from '#gallery/api/clock.ts'
import { Listeners, useSource } from '#gallery/api/listeners.ts'
import { usePart } from '#gallery/api/parts.ts'
import type { StepAction } from './outbox-events.ts'
import type { Outcome } from './outbox-open-steps.ts'
import type { OutboxWorker } from './outbox-worker.ts'
import { CANCELED } from './skip-reasons.ts'

/** Changes of more images than this are listed while they run. Smaller ones are sent almost at once. */
const MAX_UNLISTED_IMAGES = 100

/** A change that ends sooner is not listed, in milliseconds. */
const LISTED_AFTER_MS = 500

export interface FailedImage {
  readonly name: string
  /** Undefined if the page did not have its record. */
  readonly fileName: string | undefined
  readonly reason: string
}

/** A change of many images that takes a while, or that the server refused in part. */
export interface BulkChange {
  readonly id: number
  readonly action: StepAction
  readonly state: 'running' | 'paused' | 'ended'
  readonly doneCount: number
  /** The number of images that were not sent because of Cancel. */
  readonly canceledCount: number
  readonly failed: readonly FailedImage[]
  /** False for a permanent deletion, and for a change of an earlier page, which only the history can undo. */
  readonly canUndo: boolean
}

export const isBulk = ({ count }: StepAction): boolean => count > MAX_UNLISTED_IMAGES

interface RunOptions {
  readonly action: StepAction
  /** The time before it is sent, in milliseconds. */
  readonly heldMs?: number
  /** Absent for a change of an earlier page. */
  readonly undo?: () => void
  /** The file names of the images that the page has loaded, by image name. */
  readonly fileNames?: ReadonlyMap<string, string>
  /** Called when the change is listed. */
  readonly onListed?: (doneCount: number) => void
}

interface BulkApi {
  readonly clock: Clock
  readonly worker: OutboxWorker
}

/** The changes of many images that run, and those that ended with failures. */
export class BulkChanges {
  readonly #api: BulkApi
  #runs: readonly BulkRun[] = []
  #state: readonly BulkChange[] = []
  #next = 1
  readonly #changes = new Listeners()
  readonly subscribe = this.#changes.add

  constructor(api: BulkApi) {
    this.#api = api
  }

  /** The listed changes, oldest first. A new array at every change. */
  readonly getState = (): readonly BulkChange[] => this.#state

  begin(options: RunOptions): BulkRun {
    const run = new BulkRun(this.#next++, { ...this.#api, publish: this.#publish }, options)
    this.#runs = [...this.#runs, run]
    return run
  }

  pause(id: number): void {
    this.#runOf(id)?.setPaused(true)
  }

  resume(id: number): void {
    this.#runOf(id)?.setPaused(false)
  }

  /** Drops the images that are not sent yet. Images that are changed already stay changed. */
  cancel(id: number): void {
    this.#runOf(id)?.cancel()
  }

  /** Changes refused images again: all of them, or one. */
  retry(id: number, imageName?: string): void {
    this.#runOf(id)?.retryFailed(imageName)
  }

  /** Undoes the change of all images that were changed. */
  undo(id: number): void {
    this.#runOf(id)?.undo()
  }

  /** Removes a change that has ended from the list. */
  dismiss(id: number): void {
    this.#runOf(id)?.discard()
  }

  /** Cancels the paused changes. */
  cancelPaused(): void {
    for (const run of this.#runs) if (run.change.state === 'paused') run.cancel()
  }

  clear(): void {
    for (const run of this.#runs) run.discard()
  }

  #runOf(id: number): BulkRun | undefined {
    return this.#runs.find((run) => run.change.id === id)
  }

  readonly #publish = (): void => {
    this.#runs = this.#runs.filter(({ isOver }) => !isOver)
    this.#state = this.#runs.filter(({ isListed }) => isListed).map(({ change }) => change)
    this.#changes.emit()
  }
}

/** A change in {@link BulkChanges}, with the steps that send it: the first one, and one per Retry. */
export class BulkRun {
  readonly #api: BulkApi & { readonly publish: () => void }
  readonly #options: RunOptions
  readonly #steps = new Set<number>()
  /** Images that ended steps have changed. */
  #settledCount = 0
  #retry: (imageNames: readonly string[]) => void = () => {}
  readonly #timer: ReturnType<Clock['setTimeout']>
  change: BulkChange
  isListed = false
  isOver = false

  constructor(id: number, api: BulkApi & { readonly publish: () => void }, options: RunOptions) {
    const { action, heldMs = 0, undo } = options
    this.#api = api
    this.#options = options
    const canUndo = undo !== undefined && action.aspect !== 'deleted'
    const counts = { doneCount: 0, canceledCount: 0, failed: [] }
    this.change = { id, action, state: 'running', ...counts, canUndo }
    this.#timer = api.clock.setTimeout(() => this.#list(), heldMs + LISTED_AFTER_MS)
  }

  /** Connects a step of the worker. `retry` changes refused images again. */
  attach(step: number, retry: (imageNames: readonly string[]) => void): void {
    this.#steps.add(step)
    this.#retry = retry
    if (this.change.state === 'paused') this.#api.worker.pause(step)
  }

  /** Adds images that a part has changed. */
  readonly partDone = (imageCount: number): void =>
    this.#set({ doneCount: this.change.doneCount + imageCount })

  /** Ends a step. Without failures the change leaves the list. */
  end(step: number, { done, failed }: Outcome): void {
    this.#steps.delete(step)
    this.#settledCount += done.length
    const { fileNames } = this.#options
    const refused = failed
      .filter(({ reason }) => reason !== CANCELED)
      .map((one) => ({ ...one, fileName: fileNames?.get(one.name) }))
    const canceledCount = this.change.canceledCount + failed.length - refused.length
    const allFailed = [...this.change.failed, ...refused]
    if (this.#steps.size > 0) {
      this.#set({ canceledCount, failed: allFailed })
      return
    }
    this.#set({ state: 'ended', doneCount: this.#settledCount, canceledCount, failed: allFailed })
    if (allFailed.length === 0 && canceledCount === 0) this.discard()
    else if (!this.isOver) this.#list()
  }

  setPaused(isPaused: boolean): void {
    for (const step of this.#steps) {
      if (isPaused) this.#api.worker.pause(step)
      else this.#api.worker.resume(step)
    }
    this.#set({ state: isPaused ? 'paused' : 'running' })
  }

  cancel(): void {
    // Before the first step is taken, nothing is sent.
    if (this.#steps.size === 0) this.undo()
    for (const step of [...this.#steps]) this.#api.worker.cancel(step)
  }

  retryFailed(imageName?: string): void {
    const { failed } = this.change
    const isMeant = ({ name }: { name: string }) => imageName === undefined || name === imageName
    const names = failed.filter(isMeant).map(({ name }) => name)
    if (names.length === 0) return
    this.#set({ state: 'running', failed: failed.filter((one) => !isMeant(one)) })
    this.#retry(names)
  }

  undo(): void {
    this.discard()
    this.#options.undo?.()
  }

  /** Removes it from the list. */
  discard(): void {
    this.isOver = true
    this.#api.clock.clearTimeout(this.#timer)
    this.#api.publish()
  }

  #list(): void {
    if (this.isListed) return
    this.isListed = true
    if (this.change.state !== 'ended') this.#options.onListed?.(this.change.doneCount)
    this.#api.publish()
  }

  #set(patch: Partial<BulkChange>): void {
    this.change = { ...this.change, ...patch }
    if (this.isListed) this.#api.publish()
  }
}

/** The images whose file names are requested for the list of failures. */
const MAX_NAMED = 500

/** Returns the file names of failed images that the page had not loaded, by image name. */
export const failedNamesQuery = ({ images }: TesseraClient, { id, failed }: BulkChange) => {
  const unnamed = failed.filter(({ fileName }) => fileName === undefined).map(({ name }) => name)
  const names = unnamed.slice(0, MAX_NAMED)
  return queryOptions({
    queryKey: ['bulk change', id, names],
    queryFn: async () => {
      const records = await images.getMany(names)
      return new Map(records.map((record) => [record.image_name, record.file_name]))
    },
    enabled: names.length > 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** Returns the listed changes of many images, oldest first. Re-renders when they change. */
export const useBulkChanges = (): readonly BulkChange[] => useSource(usePart(BulkChanges))
