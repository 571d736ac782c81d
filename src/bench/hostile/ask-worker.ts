import { setTimeout as delay } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'

// Requests one URL repeatedly. On any message, it posts the times of all answers in milliseconds. It runs
// in its own thread, because the main thread of the benchmark sends files meanwhile.

const EVERY_MS = 5
const times: number[] = []
let isOver = false

parentPort?.once('message', () => {
  isOver = true
})

const ask = async () => (await fetch(workerData)).arrayBuffer()

await ask()
parentPort?.postMessage('asking')
while (!isOver) {
  const began = performance.now()
  await ask()
  times.push(performance.now() - began)
  await delay(EVERY_MS)
}
parentPort?.postMessage(times)
