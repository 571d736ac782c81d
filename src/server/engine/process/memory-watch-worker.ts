import { writeSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { OUT_OF_MEMORY_MARK } from './messages.ts'

// A thread of its own: a node may hold the main thread for as long as it likes.

/** What the watcher is started with. */
export interface WatchOptions {
  maxMemoryBytes: number
}

const { maxMemoryBytes }: WatchOptions = workerData
const STDERR = 2
const WATCH_EVERY_MS = 50
const parentPid = process.ppid

const endIfNeeded = () => {
  // The server died without a word, and a node that loops would never see its channel close.
  const isOrphan = process.ppid !== parentPid
  const isTooLarge = process.memoryUsage.rss() > maxMemoryBytes
  if (isTooLarge) writeSync(STDERR, `${OUT_OF_MEMORY_MARK}\n`)
  if (isTooLarge || isOrphan) process.kill(process.pid, 'SIGKILL')
}

setInterval(endIfNeeded, WATCH_EVERY_MS)
parentPort?.postMessage('watching')
