import { createStore } from 'zustand'
import { type Clock, Timer } from '#gallery/api/clock.ts'
import type { ServiceBehind } from '#gallery/api/connection/reachability.ts'
import { useSource } from '#gallery/api/listeners.ts'
import { usePart } from '#gallery/api/parts.ts'
import { reduceUploads, type UploadEvent } from './reduce-uploads.ts'
import type { Upload } from './upload.ts'
import { type EarlierUploads, NONE_EARLIER, tallyOf, type UploadTally } from './upload-tally.ts'

interface Uploads {
  readonly uploads: readonly Upload[]
  readonly tally: UploadTally
  /** Counts of uploads that ended before a reload. Reset when the tray is cleared. */
  readonly earlier: EarlierUploads
  readonly isPaused: boolean
  readonly readingCount: number
  /** Time of the next attempt after a connection loss, in milliseconds since 1970. */
  readonly retryAt: number | null
  /** The service behind the server that the uploads wait for; null if the server itself did not answer. */
  readonly waitsFor: ServiceBehind['name'] | null
}

/** Delay before queued events are applied, in milliseconds. */
const QUEUE_MS = 80

export class UploadStore {
  readonly #timer: Timer
  readonly state = createStore<Uploads>(() => ({
    uploads: [],
    tally: tallyOf([]),
    earlier: NONE_EARLIER,
    isPaused: false,
    readingCount: 0,
    retryAt: null,
    waitsFor: null,
  }))
  /** The files of unfinished uploads by upload ID. Not in `state`: they never change, and few of them are rendered. */
  readonly files = new Map<string, File>()
  #queued: UploadEvent[] = []

  constructor(clock: Clock) {
    this.#timer = new Timer(clock)
  }

  readonly current = (): Uploads => this.state.getState()

  /** Calls `listener` at every change of the queue. Returns a function that removes it. */
  readonly onChange = (listener: (now: Uploads, before: Uploads) => void) =>
    this.state.subscribe(listener)

  /** Applies an event immediately, after all queued events. */
  apply(event: UploadEvent): void {
    const events = [...this.#queued, event]
    this.#queued = []
    this.#timer.stop()
    this.#reduce(events)
  }

  /** Applies an event together with others after a short delay, for events that occur thousands of times in a row. */
  queue(event: UploadEvent): void {
    this.#queued.push(event)
    this.#timer.start(QUEUE_MS, () => {
      const events = this.#queued
      this.#queued = []
      this.#reduce(events)
    })
  }

  /** Sets the counts of uploads that ended before a reload. Call it before the restored uploads are added. */
  readonly setEarlier = (earlier: EarlierUploads): void => this.state.setState({ earlier })

  readonly setPaused = (isPaused: boolean): void => this.state.setState({ isPaused })

  readonly startReading = (): void =>
    this.state.setState(({ readingCount }) => ({ readingCount: readingCount + 1 }))

  readonly endReading = (): void =>
    this.state.setState(({ readingCount }) => ({ readingCount: readingCount - 1 }))

  readonly setRetryAt = (
    retryAt: number | null,
    waitsFor: ServiceBehind['name'] | null = null,
  ): void => this.state.setState({ retryAt, waitsFor })

  /** Returns the IDs of some uploads. */
  readonly idsOf = (isMeant: (upload: Upload) => boolean): string[] =>
    this.current()
      .uploads.filter(isMeant)
      .map(({ uploadId }) => uploadId)

  forgetFiles(uploadIds: Iterable<string>): void {
    for (const uploadId of uploadIds) this.files.delete(uploadId)
  }

  readonly #reduce = (events: readonly UploadEvent[]): void =>
    this.state.setState((queue) => {
      const uploads = events.reduce(reduceUploads, queue.uploads)
      if (uploads === queue.uploads) return queue
      const isCleared = events.some(({ type }) => type === 'cleared')
      const earlier = isCleared ? NONE_EARLIER : queue.earlier
      return { uploads, earlier, tally: tallyOf(uploads, earlier) }
    })
}

const useUploadState = <Value>(select: (state: Uploads) => Value): Value =>
  useSource(usePart(UploadStore).state, select)

/** Returns all uploads of this page, in order, until they are cleared. */
export const useUploads = (): readonly Upload[] => useUploadState(({ uploads }) => uploads)
export const useUploadTally = (): UploadTally => useUploadState(({ tally }) => tally)
export const useIsPaused = (): boolean => useUploadState(({ isPaused }) => isPaused)
export const useIsReading = (): boolean => useUploadState(({ readingCount }) => readingCount > 0)
export const useRetryAt = (): number | null => useUploadState(({ retryAt }) => retryAt)
export const useWaitsFor = () => useUploadState(({ waitsFor }) => waitsFor)
export const useHasUnfinished = (): boolean => useUploadState(({ tally }) => tally.left > 0)
