import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { canFindLeftProcesses, killLeftProcesses, markedEnvironment } from './left-processes.ts'

/** Starts a process in a new session, prints its ID and exits. */
const LEAVE_PROCESS = `
  const code = 'setInterval(() => {}, 1000)'
  const options = { detached: true, stdio: 'ignore' }
  const child = require('node:child_process').spawn(process.execPath, ['-e', code], options)
  process.stdout.write(String(child.pid))
  child.unref()
`

if (canFindLeftProcesses) {
  test('finds and kills a process that outlives its parent', async () => {
    const mark = markedEnvironment()
    const parent = spawn(process.execPath, ['-e', LEAVE_PROCESS], {
      env: { ...process.env, ...mark },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [output] = await once(parent.stdout, 'data')
    await once(parent, 'close')

    const left = await killLeftProcesses(mark, 0)

    const command = `${process.execPath} -e setInterval(() => {}, 1000)`
    expect(left).toEqual([{ pid: Number(output), command }])
    expect(await killLeftProcesses(mark, 0)).toEqual([])
  })
}

test('does not report a process that ends in time', async () => {
  const mark = markedEnvironment()
  const child = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 300)'], {
    env: { ...process.env, ...mark },
  })
  await once(child, 'spawn')

  expect(await killLeftProcesses(mark, 30_000)).toEqual([])
})
