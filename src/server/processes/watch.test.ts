import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import type { ChildSettings } from './watch.ts'

const source = fileURLToPath(new URL('./watch.ts', import.meta.url))

const plenty: ChildSettings = {
  parentPid: process.pid,
  maxMemoryBytes: 2e9,
  maxWorkMs: Number.MAX_SAFE_INTEGER,
  maxLaterMs: Number.MAX_SAFE_INTEGER,
}

/** Runs a watched process that blocks its main thread forever. Returns how it ended and its error output. */
const runBusy = async (settings: Partial<ChildSettings>, work = 'timed') => {
  const script = `
    const { watchThisProcess } = await import(${JSON.stringify(source)})
    const { started, timed, timedLater } = watchThisProcess()
    await started
    const kept = []
    ${work}(() => { for (;;) if (kept.length < 3_000) kept.push(new Uint8Array(100_000).fill(1)) })`
  const child = spawn(process.execPath, [
    ...['--input-type=module', '--eval', script, 'entry'],
    JSON.stringify({ ...plenty, ...settings, options: {} }),
  ])
  let words = ''
  child.stderr.on('data', (data) => {
    words += data
  })
  const [, signal] = await once(child, 'close')
  return { signal, words }
}

test.each([
  ['memory', { maxMemoryBytes: 150_000_000 }, 'tessera: out of memory'],
  ['time', { maxWorkMs: 100 }, 'tessera: out of time'],
])('ends a busy process that exceeds its %s and reports it', async (_, settings, mark) => {
  expect(await runBusy(settings)).toEqual({ signal: 'SIGKILL', words: `${mark}\n` })
})

test('ends a process whose asynchronous work takes too long', async () => {
  const ended = await runBusy({ maxLaterMs: 100 }, 'timedLater')

  expect(ended).toEqual({ signal: 'SIGKILL', words: 'tessera: out of time\n' })
})

test('ends a busy process if the server died before the watcher started', async () => {
  const dead = spawn(process.execPath, ['--version'])
  await once(dead, 'close')

  expect(await runBusy({ parentPid: dead.pid ?? 0 })).toEqual({ signal: 'SIGKILL', words: '' })
})
