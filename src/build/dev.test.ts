import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'
import { projectRoot } from './project-root.ts'

/** Starts the development server from the command line, and waits until page and server are up. */
async function startDev() {
  const dataFolder = await createTemporaryFolder()
  onTestFinished(() => removeFolder(dataFolder))
  let said = ''
  const npm: ChildProcess = spawn('npm', ['run', 'dev', '--', '--data', dataFolder], {
    cwd: projectRoot,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  for (const stream of [npm.stdout, npm.stderr]) stream?.on('data', (chunk) => (said += chunk))
  const holder = async () =>
    JSON.parse(await readFile(join(dataFolder, 'server.json'), 'utf8').catch(() => '{}'))
  await expect.poll(async () => (await holder()).address, { timeout: 25_000 }).toMatch(/^http/)
  return {
    npm,
    serverPid: (await holder()).pid as number,
    // With forced colors, color codes separate the words.
    said: () => stripVTControlCharacters(said),
  }
}

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test('ends page and server when only npm is stopped @long', async () => {
  const { npm, serverPid, said } = await startDev()
  await expect.poll(said, { timeout: 25_000 }).toMatch(/Local: .*http:/)
  const [, page = ''] = /(http:\/\/127\.0\.0\.1:\d+)/.exec(said()) ?? []

  npm.kill('SIGTERM')
  await once(npm, 'exit')

  await expect.poll(() => isRunning(serverPid), { timeout: 15_000 }).toBe(false)
  await expect
    .poll(() =>
      fetch(page).then(
        () => 'there',
        () => 'gone',
      ),
    )
    .toBe('gone')
}, 60_000)
