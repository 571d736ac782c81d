import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { onTestFinished, test } from 'vitest'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'
import { ServerProcess } from './server-process.ts'

/** A server whose threads and children end all the time. */
const RESTLESS = `
  import { spawn } from 'node:child_process'
  import { Worker } from 'node:worker_threads'
  const startThread = () => new Worker('', { eval: true }).on('exit', startThread)
  const startChild = () => spawn('true').on('exit', startChild)
  startThread()
  startChild()
  console.log('Gallery http://127.0.0.1:1')
`

const RESUMES = 3_000

test('resumes a process that is not paused, while its threads and children end', async () => {
  const dataFolder = await createTemporaryFolder()
  onTestFinished(() => removeFolder(dataFolder))
  const mainFile = join(dataFolder, 'restless.mjs')
  await writeFile(mainFile, RESTLESS)
  const server = await ServerProcess.start({ dataFolder, mainFile })
  onTestFinished(() => server.kill())

  for (let at = 0; at < RESUMES; at += 1) {
    server.resume()
    await new Promise(setImmediate)
  }
})
