import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { IdGroups, PictureGrouper } from '#server/core/likeness/duplicate-ports.ts'
import { Refusal } from '#server/core/refusal.ts'
import type { GroupingTask } from './grouping-worker.ts'

/** `.ts` in a clone, `.js` in a build. */
const entry = new URL(`./grouping-worker${extname(import.meta.url)}`, import.meta.url)

/** Idle time before the thread ends and frees its memory: 40 MB for a million pictures. */
const IDLE_MS = 120_000

/** Opens a thread that compares pictures. It starts with the first comparison. */
export const openPictureGrouper = (): PictureGrouper => {
  let worker: Worker | null = null
  let last: Promise<unknown> = Promise.resolve()
  let isClosed = false
  const idle = setTimeout(() => void end(), IDLE_MS).unref()

  const end = async () => {
    const ended = worker
    worker = null
    await ended?.terminate()
  }

  const start = (): Worker => {
    const started = new Worker(entry)
    started.unref()
    started.once('exit', () => {
      if (worker === started) worker = null
    })
    return started
  }

  const run = async (task: GroupingTask): Promise<IdGroups | null> => {
    if (isClosed) throw new Refusal('stopping')
    clearTimeout(idle)
    worker ??= start()
    const thread = worker
    const { promise, resolve, reject } = Promise.withResolvers<IdGroups | null>()
    const onExit = () => reject(new Refusal('stopping'))
    thread.once('message', resolve)
    thread.once('error', reject)
    thread.once('exit', onExit)
    const { ids, words, ratios, durations } = task.pictures
    const moved = [ids, words, ratios, durations].map(({ buffer }) => buffer as ArrayBuffer)
    thread.postMessage(task, moved)
    try {
      return await promise
    } finally {
      thread.off('message', resolve)
      thread.off('error', reject)
      thread.off('exit', onExit)
      idle.refresh()
    }
  }

  return {
    group: (pictures, sameBytes, likeness) => {
      const control = new Int32Array(new SharedArrayBuffer(12))
      Atomics.store(control, 2, pictures.ids.length)
      const groups = last.then(() =>
        Atomics.load(control, 0) === 0 ? run({ pictures, sameBytes, likeness, control }) : null,
      )
      last = groups.catch(() => undefined)
      return {
        groups,
        progress: () => ({ done: Atomics.load(control, 1), total: Atomics.load(control, 2) }),
        cancel: () => void Atomics.store(control, 0, 1),
      }
    },
    close: async () => {
      isClosed = true
      clearTimeout(idle)
      await end()
    },
  }
}
