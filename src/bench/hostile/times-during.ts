import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

/** Requests a URL repeatedly while some work runs. Returns the times of the answers in milliseconds. */
export const timesDuring = async (url: string, work: () => Promise<unknown>): Promise<number[]> => {
  const asker = new Worker(new URL('./ask-worker.ts', import.meta.url), { workerData: url })
  await once(asker, 'message')
  try {
    await work()
  } finally {
    asker.postMessage('end')
  }
  const [times] = await once(asker, 'message')
  return times
}
