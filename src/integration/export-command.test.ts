import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { drawFile } from '#testing/library/draw-file.ts'
import { runCommand, startCommand } from '#testing/server/run-command.ts'
import { startServer } from '#testing/server/start-server.ts'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'

const MINUTE = 60_000

const runExport = (...args: string[]) => runCommand('export', ...args)

let dataFolder: string
let folder: string
beforeEach(async () => {
  const parent = await createTemporaryFolder()
  onTestFinished(() => removeFolder(parent))
  dataFolder = join(parent, 'data')
  folder = join(parent, 'out')
})

test('exports a library with and without a running server', {
  timeout: 4 * MINUTE,
}, async () => {
  const server = await startServer({ dataFolder })
  const upload = async (name: string) =>
    server.client.uploads.upload({ bytes: await drawFile(name) }, {})
  await upload('cat.png')

  const withServer = await runExport(folder, '--data', dataFolder)
  await upload('dog.png')
  await server.close()
  const without = await runExport(folder, '--data', dataFolder, '--board', 'Assets')

  expect([withServer.code, withServer.err]).toEqual([0, ''])
  expect(withServer.out).toMatch(/Exporting everything to .*\n {2}Copied +1\n/)
  expect(without.out).toMatch(/Copied +1\n {2}Already there +1\n {2}Failed +0\n$/)
  expect(await readdir(join(folder, 'Assets'))).toHaveLength(4)
  const sidecar: unknown = JSON.parse(await readFile(join(folder, 'Assets/dog.png.json'), 'utf8'))
  expect(sidecar).toMatchObject({ tessera_sidecar: 1, file_name: 'dog.png', board_name: null })
})

test('names files by a pattern', { timeout: 4 * MINUTE }, async () => {
  const server = await startServer({ dataFolder })
  await server.client.uploads.upload({ bytes: await drawFile('cat.png') }, {})
  await server.close()

  const done = await runExport(folder, '--data', dataFolder, '--names', '{year}/{model}_{name}')
  const again = await runExport(folder, '--data', dataFolder, '--names', '{year}/{model}_{name}')
  const wrong = await runExport(`${folder}-2`, '--data', dataFolder, '--names', '{modle}')

  expect(done).toMatchObject({ code: 0, err: '' })
  expect(again.out).toMatch(/Copied +0\n {2}Already there +1\n/)
  const year = String(new Date().getFullYear())
  expect(await readdir(join(folder, year))).toEqual([
    'DreamShaper 8_cat.png',
    'DreamShaper 8_cat.png.json',
  ])
  expect(wrong).toMatchObject({
    code: 2,
    err: expect.stringMatching(
      /^tessera: --names: There is no field “\{modle\}”. Fields: \{name\} /,
    ),
  })
  expect(existsSync(`${folder}-2`)).toBe(false)
})

test('exits cleanly when its output is closed', { timeout: 4 * MINUTE }, async () => {
  const server = await startServer({ dataFolder })
  await server.client.uploads.upload({ bytes: await drawFile('cat.png') }, {})
  await server.close()

  const { child, ended } = startCommand('export', folder, '--data', dataFolder)
  ended.catch(() => {}) // its output is cut off
  child.stdout?.destroy()

  const [code] = await once(child, 'close')
  expect([0, 130]).toContain(code)
  expect(await readdir(folder)).not.toContain('.tessera-export')
})

test('reports wrong use in one line and writes nothing', { timeout: 4 * MINUTE }, async () => {
  expect(await runExport(folder, '--data', dataFolder)).toMatchObject({
    code: 2,
    err: `tessera: There is no library in ${dataFolder}. Give its folder with --data.\n`,
  })
  const server = await startServer({ dataFolder })
  onTestFinished(() => server.close())
  await mkdir(folder)
  await writeFile(join(folder, 'mine.txt'), '')

  const taken = await runExport(folder, '--data', dataFolder)
  const unknown = await runExport(`${folder}-2`, '--data', dataFolder, '--board', 'Dogs')
  const misspelt = await runCommand('exprot', folder)

  expect(taken).toMatchObject({ code: 2, err: expect.stringContaining('has other files in it') })
  expect(unknown).toMatchObject({ code: 2, out: '', err: 'tessera: There is no board “Dogs”.\n' })
  expect(misspelt).toMatchObject({ code: 2, err: expect.stringContaining('no command “exprot”') })
  expect(await readdir(folder)).toEqual(['mine.txt'])
  expect(existsSync(`${folder}-2`)).toBe(false)
})
