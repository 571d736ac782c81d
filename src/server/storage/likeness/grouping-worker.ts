import { parentPort } from 'node:worker_threads'
import type { IdGroups } from '#server/core/likeness/duplicate-ports.ts'
import { groupsOf, type Likeness, type Pictures } from '#server/core/likeness/group-alike.ts'
import { type Grouped, regroup } from '#server/core/likeness/regroup.ts'
import { joinGroups } from './join-groups.ts'

/** Entry point of the thread that compares pictures. */

export interface GroupingTask {
  pictures: Pictures
  sameBytes: IdGroups
  likeness: Likeness
  /** Shared: whether the task is canceled (0 or 1), the number of compared pictures, and their total. */
  control: Int32Array
}

/** The last groups, to compare only changed pictures next time. */
let known: { key: string; grouped: Grouped } | null = null

parentPort?.on('message', ({ pictures, sameBytes, likeness, control }: GroupingTask) => {
  const key = JSON.stringify(likeness)
  const before = known?.key === key ? known.grouped : null
  known = null
  const grouped = regroup(before, pictures, {
    ...likeness,
    onProgress: (done, total) => {
      Atomics.store(control, 1, done)
      Atomics.store(control, 2, total)
      return Atomics.load(control, 0) === 0
    },
  })
  if (grouped === null) {
    parentPort?.postMessage(null)
    return
  }
  known = { key, grouped }
  const groups = joinGroups(groupsOf(pictures.ids, grouped.sets), sameBytes)
  parentPort?.postMessage(groups, [groups.buffer as ArrayBuffer])
})
