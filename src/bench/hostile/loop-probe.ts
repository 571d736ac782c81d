import { writeFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

/** Measurements of the server's event loop since the last reading. */
export interface LoopReading {
  /** Maximum CPU time of one turn of the event loop in milliseconds. Other processes do not affect it. */
  longestTurnMs: number
  /** Maximum wait for a turn in milliseconds. */
  longestWaitMs: number
}

// Loaded into a server with `--import`. On SIGUSR2 it writes its measurements to the file that `LOOP_PROBE` names.

const TICK_MS = 1

const watchLoop = (file: string): void => {
  const usedMs = () => {
    const { user, system } = process.threadCpuUsage()
    return (user + system) / 1000
  }
  let reading: LoopReading = { longestTurnMs: 0, longestWaitMs: 0 }
  let last = { cpu: usedMs(), at: performance.now() }
  setInterval(() => {
    const now = { cpu: usedMs(), at: performance.now() }
    reading.longestTurnMs = Math.max(reading.longestTurnMs, now.cpu - last.cpu)
    reading.longestWaitMs = Math.max(reading.longestWaitMs, now.at - last.at - TICK_MS)
    last = now
  }, TICK_MS).unref()
  process.on('SIGUSR2', () => {
    writeFileSync(file, JSON.stringify(reading))
    reading = { longestTurnMs: 0, longestWaitMs: 0 }
  })
}

const { LOOP_PROBE } = process.env
// The threads of the server load this file too.
if (LOOP_PROBE !== undefined && isMainThread) watchLoop(LOOP_PROBE)
