import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { entryFile, serverEnvironment } from '#testing/server/server-environment.ts'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'
import { type FakeUpstream, startFakeUpstream } from './fake-upstream.ts'

const mainFile = entryFile(new URL('../server/main.ts', import.meta.url))

let folder: string
let upstream: FakeUpstream
let child: ChildProcess
beforeEach(async () => {
  folder = await createTemporaryFolder()
  upstream = await startFakeUpstream(() => {}) // it answers only version requests
})
afterEach(async () => {
  child.kill('SIGKILL')
  await upstream.kill()
  await removeFolder(folder)
})

/** Starts in front of the upstream, in an empty folder, and returns all output up to the greeting. */
async function start(...flags: string[]): Promise<string> {
  child = spawn(
    process.execPath,
    [mainFile, '--upstream', upstream.url, '--port', '0', '--log-level', 'warn', ...flags],
    { cwd: folder, env: serverEnvironment(), stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const greeted = Promise.withResolvers<string>()
  let said = ''
  child.stdout?.setEncoding('utf8').on('data', (piece: string) => {
    said += piece
    if (said.includes('Log level')) greeted.resolve(said)
  })
  return greeted.promise
}

const galleryIn = (said: string): string => /Gallery +(\S+)\//.exec(said)?.[1] ?? ''

test('prints its upstream and stores no files', async () => {
  const said = await start()

  expect(said).toContain(`In front of   InvokeAI 6.14.0 at ${upstream.url}\n`)
  expect(said).toContain('Rate limit    off\n')
  expect(said).not.toMatch(/Data|Models|Largest/)
  expect(await readdir(folder)).toEqual([])
})

test('starts while the upstream is down, reports it, and finds it later', async () => {
  await upstream.kill()
  const said = await start()

  expect(said).toMatch(/Mind +InvokeAI at .*: nothing is running there\. Start InvokeAI/)
  await upstream.revive()
  const state = async () => {
    const answer = await fetch(`${galleryIn(said)}/api/v1/app/upstream`)
    return ((await answer.json()) as { state: string }).state
  }
  await expect.poll(state, { timeout: 20_000 }).toBe('up')
})

test('stops on a signal while requests to the upstream are pending @long', async () => {
  const gallery = galleryIn(await start())
  const waiting = fetch(`${gallery}/api/v1/boards/`).catch(() => 'cut')
  await expect.poll(() => upstream.received.length, { timeout: 20_000 }).toBe(1)

  child.kill('SIGTERM')
  const [code] = await once(child, 'exit')
  expect([code, await waiting]).toEqual([0, 'cut'])
})

test('rejects incompatible flags in one line', async () => {
  child = spawn(process.execPath, [mainFile, '--upstream', upstream.url, '--data', folder])
  const [[code], said] = await Promise.all([
    once(child, 'exit'),
    child.stderr ? text(child.stderr) : '',
  ])

  expect(code).toBe(2)
  expect(said).toMatch(/^tessera: --data cannot be together with --upstream: [^\n]+\n$/)
})
