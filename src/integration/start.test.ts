import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { connect } from '#client/index.ts'
import { createServer as createTessera } from '#server/app.ts'
import { openRecords } from '#server/storage/sqlite/open-records.ts'
import { fillLibrary } from '#testing/library/fill-library.ts'
import { entryFile } from '#testing/server/server-environment.ts'
import { ServerProcess } from '#testing/server/server-process.ts'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'
import { hashOfImage } from './library-consistency.ts'

const mainFile = entryFile(new URL('../server/main.ts', import.meta.url))

let folder: string
beforeEach(async () => {
  folder = await createTemporaryFolder()
})
afterEach(() => removeFolder(folder))

/** Runs the server's command to its end. */
async function run(...flags: string[]): Promise<{ code: number; out: string; err: string }> {
  const child = spawn(process.execPath, [mainFile, ...flags])
  const [[code], out, err] = await Promise.all([
    once(child, 'exit'),
    text(child.stdout),
    text(child.stderr),
  ])
  return { code, out, err }
}

const oneLine = /^tessera: [^\n]+\n$/

test('writes nothing to the current folder with an empty NODE_COMPILE_CACHE', async () => {
  const env = { ...process.env, NODE_COMPILE_CACHE: '' }
  const child = spawn(process.execPath, [mainFile, '--version'], { cwd: folder, env })
  const [code] = await once(child, 'close')
  expect({ code, written: await readdir(folder) }).toEqual({ code: 0, written: [] })
})

test('reports in one line why it cannot start', async () => {
  const file = join(folder, 'file')
  await writeFile(file, '')
  const broken = join(folder, 'broken')
  await mkdir(broken)
  await writeFile(join(broken, 'tessera.db'), 'no database'.repeat(100))
  const garbled = join(folder, 'garbled')
  await mkdir(garbled)
  await writeFile(join(garbled, 'server.lock'), 'no database'.repeat(100))
  const port = createServer().listen(0, '127.0.0.1')
  await once(port, 'listening')
  const { port: taken } = port.address() as { port: number }

  const cases: [string[], number, RegExp][] = [
    [['--port', 'x'], 2, /port/],
    [['--nonsense'], 2, /unknown option '--nonsense'/],
    [['--host', '0.0.0.0', '--data', folder], 2, /--token/],
    [['--data', join(file, 'inside')], 1, /cannot be written/],
    [['--data', '/proc/tessera/data'], 1, /cannot be written: .*--data\.$/m],
    [['--data', broken], 1, /cannot be opened/],
    [['--data', garbled], 1, /server\.lock is damaged\. Delete it and start again\.$/m],
    [
      ['--data', join(folder, 'a'), '--port', String(taken)],
      1,
      new RegExp(`Port ${taken}.*is taken`),
    ],
    [['--data', join(folder, 'b'), '--host', '192.0.2.1', '--token'], 1, /no address 192\.0\.2\.1/],
  ]
  await Promise.all(
    cases.map(async ([flags, code, said]) => {
      const end = await run(...flags)
      expect(end).toMatchObject({ code, out: '', err: expect.stringMatching(said) })
      expect(end.err).toMatch(oneLine)
    }),
  )
  port.close()
})

test('refuses to start with images but without their database @long', async () => {
  await fillLibrary(folder, { imageCount: 20, pictureCount: 1, longestPx: 32 })
  const path = join(folder, 'tessera.db')
  const moved = join(folder, 'moved.db')
  await rename(path, moved)

  const missing = await run('--data', folder, '--port', '0')
  expect(missing).toMatchObject({ code: 1, out: '' })
  expect(missing.err).toMatch(oneLine)
  expect(missing.err).toContain('is missing, but images/ has files')
  await writeFile(path, '')
  expect((await run('--data', folder, '--port', '0')).err).toContain('is empty, but images/')
  new Database(path).exec('CREATE TABLE boards (board_id)').close()
  expect((await run('--data', folder, '--port', '0')).err).toContain('of another program')
  await rm(path)
  await (await openRecords({ dataFolder: folder })).close()
  const empty = await run('--data', folder, '--port', '0')
  expect(empty.err).toMatch(oneLine)
  expect(empty.err).toContain('20 of 20 files in images/ have no record')

  expect(await readdir(join(folder, 'set-aside'))).toEqual([])
  await rename(moved, path)
  const server = await ServerProcess.start({ dataFolder: folder })
  const { image_names } = await connect({ baseUrl: server.url }).images.names({})
  for (const name of image_names) await hashOfImage(server.url, name)
  expect(image_names).toHaveLength(20)
  await server.close()
})

test('leaves neither a lock nor a database connection after refused starts @long', async () => {
  await fillLibrary(folder, { imageCount: 20, pictureCount: 1, longestPx: 32 })
  const path = join(folder, 'tessera.db')
  const moved = join(folder, 'moved.db')
  await rename(path, moved)
  await (await openRecords({ dataFolder: folder })).close() // of another library

  for (let round = 0; round < 5; round++) {
    const refused = createTessera({ dataFolder: folder })
    await expect(refused, `round ${round}`).rejects.toThrow(
      '20 of 20 files in images/ have no record',
    )
    expect(await readdir(folder)).not.toContain('tessera.db-wal')
  }
  await rename(moved, path)
  const server = await createTessera({ dataFolder: folder })
  await server.close()
})

test('locks a data folder and names the server that uses it', async () => {
  const server = await ServerProcess.start({ dataFolder: folder })
  try {
    const second = await run('--data', folder, '--port', '0')
    expect(second.code).toBe(1)
    expect(second.err).toMatch(oneLine)
    expect(second.err).toContain(`open ${server.url}`)

    await server.kill()
    await server.startAgain() // the lock does not outlive the process
    expect((await fetch(`${server.url}/api/v1/health`)).status).toBe(200)
  } finally {
    await server.close()
  }
})

/** Starts an upload that never ends, and waits until some of it has arrived. */
async function beginUpload(url: string, dataFolder: string): Promise<void> {
  const head =
    '--b\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n'
  const body = new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode(head + 'x'.repeat(100_000))),
  })
  const path = '/api/v1/images/upload?image_category=user&is_intermediate=false'
  const init = { method: 'POST', body, duplex: 'half' } as RequestInit
  const headers = { 'content-type': 'multipart/form-data; boundary=b' }
  fetch(`${url}${path}`, { ...init, headers }).catch(() => {}) // fails when the server stops
  await expect.poll(() => readdir(join(dataFolder, 'incoming'))).toHaveLength(1)
}

test('stops on a signal and leaves nothing of interrupted uploads', async () => {
  const server = await ServerProcess.start({ dataFolder: folder })
  await beginUpload(server.url, folder)

  await server.stop()
  expect(await readdir(join(folder, 'incoming'))).toEqual([])
  expect(await readdir(folder)).not.toContain('server.json')
})

test('stops immediately on a second signal @long', async () => {
  const { child, said } = await startAndRead('--data', folder, '--port', '0')
  const exit = once(child, 'exit')
  await beginUpload(/http:\S+\d/.exec(said())?.[0] ?? '', folder)

  child.kill('SIGINT')
  await expect.poll(said).toContain('Stopping')
  child.kill('SIGINT')
  expect(await exit).toEqual([1, null])
})

async function startAndRead(
  ...flags: string[]
): Promise<{ child: ChildProcess; said: () => string }> {
  let said = ''
  const child = spawn(process.execPath, [mainFile, ...flags])
  child.stdout.on('data', (chunk) => {
    said += chunk
  })
  await expect.poll(() => said).toContain('Log level')
  return { child, said: () => said }
}

test('prints the addresses of the gallery, one for phones, and all settings', async () => {
  const flags = [
    '--data',
    folder,
    '--port',
    '0',
    '--host',
    '0.0.0.0',
    '--token',
    '--rate-limit',
    'off',
  ]
  const { child, said } = await startAndRead(...flags)
  try {
    expect(said()).toMatch(/Gallery +http:\/\/localhost:\d+\/\?token=[\w-]{32}\n/)
    expect(said()).toMatch(/Data +.*\(.* free\)\n/)
    expect(said()).toMatch(/Rate limit +off\n/)
    const link = /Gallery +(\S+)/.exec(said())?.[1] ?? ''
    const opened = await fetch(link, { redirect: 'manual' })
    expect([opened.status, opened.headers.get('location')]).toEqual([303, '/'])
  } finally {
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
})
