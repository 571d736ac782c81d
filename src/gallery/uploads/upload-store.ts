import { create } from 'zustand'
import {
  type EarlierUploads,
  NONE_EARLIER,
  tallyOf,
  type UploadTally,
} from '#gallery/uploads/tray/upload-tally.ts'
import { reduceUploads, type UploadEvent } from './reduce-uploads.ts'
import { isUnfinished, type Upload } from './upload.ts'

interface UploadQueue {
  readonly uploads: readonly Upload[]
  readonly tally: UploadTally
  /** Counts of uploads that ended before a reload. Reset when the tray is cleared. */
  readonly earlier: EarlierUploads
  readonly isPaused: boolean
  /** Number of dropped folders that are still being read. */
  readonly readingCount: number
  /** Time of the next attempt after a connection loss, in milliseconds since 1970. */
  readonly retryAt: number | null
}

const useQueue = create<UploadQueue>(() => ({
  uploads: [],
  tally: tallyOf([]),
  earlier: NONE_EARLIER,
  isPaused: false,
  readingCount: 0,
  retryAt: null,
}))

/** Returns all uploads of this page, in order, until they are cleared. */
export const useUploads = (): readonly Upload[] => useQueue(({ uploads }) => uploads)
export const useUploadTally = (): UploadTally => useQueue(({ tally }) => tally)
export const useIsPaused = (): boolean => useQueue(({ isPaused }) => isPaused)
export const useIsReading = (): boolean => useQueue(({ readingCount }) => readingCount > 0)
export const useRetryAt = (): number | null => useQueue(({ retryAt }) => retryAt)
export const useHasUnfinished = (): boolean => useQueue(({ tally }) => tally.left > 0)

export const currentUploads = (): UploadQueue => useQueue.getState()

/** Calls `listener` at every change of the queue. Returns a function that removes it. */
export const onQueueChange = (listener: (now: UploadQueue, before: UploadQueue) => void) =>
  useQueue.subscribe(listener)

/** Delay before queued events are applied, in milliseconds. */
const QUEUE_MS = 80

let queued: UploadEvent[] = []
let timer: ReturnType<typeof setTimeout> | undefined

/** Applies an event immediately, after all queued events. */
export function applyUploadEvent(event: UploadEvent): void {
  const events = [...queued, event]
  queued = []
  clearTimeout(timer)
  timer = undefined
  apply(events)
}

/**
 * Queues an event, for events that occur thousands of times in a row. Queued events are applied together after
 * a short delay, in order.
 */
export function queueUploadEvent(event: UploadEvent): void {
  queued.push(event)
  timer ??= setTimeout(() => {
    const events = queued
    queued = []
    timer = undefined
    apply(events)
  }, QUEUE_MS)
}

const apply = (events: readonly UploadEvent[]): void =>
  useQueue.setState((queue) => {
    const uploads = events.reduce(reduceUploads, queue.uploads)
    if (uploads === queue.uploads) return queue
    const isCleared = events.some(({ type }) => type === 'cleared')
    const earlier = isCleared ? NONE_EARLIER : queue.earlier
    return { uploads, earlier, tally: tallyOf(uploads, earlier) }
  })

/** Sets the counts of uploads that ended before a reload. Call it before the restored uploads are added. */
export const setEarlierUploads = (earlier: EarlierUploads): void => useQueue.setState({ earlier })

export const setPaused = (isPaused: boolean): void => useQueue.setState({ isPaused })

export const startReading = (): void =>
  useQueue.setState(({ readingCount }) => ({ readingCount: readingCount + 1 }))

export const endReading = (): void =>
  useQueue.setState(({ readingCount }) => ({ readingCount: readingCount - 1 }))

export const setRetryAt = (retryAt: number | null): void => useQueue.setState({ retryAt })

/** Returns the ids of unfinished uploads. */
export const unfinishedIds = (): string[] =>
  useQueue
    .getState()
    .uploads.filter(isUnfinished)
    .map(({ uploadId }) => uploadId)
