import { writeSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { marks, type WatchData } from './watch.ts'

// Runs in a thread, because a node or a file can block the main thread of a child process for any time.

const { parentPid, maxMemoryBytes, maxWorkMs, maxLaterMs, work }: WatchData = workerData
const STDERR = 2
const WATCH_EVERY_MS = 20

const timed = [maxWorkMs, maxLaterMs].map((maxMs, at) => ({ at, maxMs, lastCount: 0, since: 0 }))

/** Work is running while its count is odd. */
const isOverTime = (): boolean =>
  timed.some((one) => {
    const count = Atomics.load(work, one.at)
    if (count !== one.lastCount) one.since = performance.now()
    one.lastCount = count
    return count % 2 === 1 && performance.now() - one.since > one.maxMs
  })

const end = (mark?: string): void => {
  if (mark !== undefined) writeSync(STDERR, `${mark}\n`)
  process.kill(process.pid, 'SIGKILL')
}

/** Another process adopts the children of a killed server, except on Windows. */
const isOrphan = (): boolean => {
  // Compared with the ID that the server sent: this thread may start after the server's death.
  if (process.platform !== 'win32') return process.ppid !== parentPid
  try {
    process.kill(parentPid, 0)
    return false
  } catch {
    return true
  }
}

setInterval(() => {
  if (isOrphan()) end()
  else if (process.memoryUsage.rss() > maxMemoryBytes) end(marks.memory)
  else if (isOverTime()) end(marks.time)
}, WATCH_EVERY_MS)
parentPort?.postMessage('watching')
