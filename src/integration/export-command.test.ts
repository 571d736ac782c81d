import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import sharp from 'sharp'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
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

test('names files by a pattern @long', { timeout: 4 * MINUTE }, async () => {
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

/** Fills the library with a picture with a prompt on a board, a photo, an animation and a damaged file. */
const fillLibrary = async () => {
  const server = await startServer({ dataFolder })
  const { boards, uploads } = server.client
  const cats = await boards.createBoard('Cats')
  const upload = async (name: string, options: object = {}, draw: object = {}) =>
    uploads.upload({ bytes: await drawFile(name, draw) }, options)
  await upload('cat.png', { boardId: cats.boardId })
  await upload('photo.jpg')
  await upload('loop.gif', {}, { kind: 'animated-gif' })
  const broken = await upload('broken.png')
  await server.close()
  const folderOfImage = broken.image_name.split('.')[0]?.slice(-2) ?? ''
  await writeFile(join(dataFolder, 'images', folderOfImage, broken.image_name), 'no image')
}

test('exports converted files, and names what it could not convert', {
  timeout: 4 * MINUTE,
}, async () => {
  await fillLibrary()
  const run = (target: string, ...args: string[]) =>
    runExport(target, '--data', dataFolder, ...args)
  const avif = ['--format', 'avif', '--quality', '40', '--longest-side', '48']

  const done = await run(folder, ...avif)
  const again = await run(folder, ...avif)
  const clean = await run(`${folder}-2`, '--without-metadata', '--board', 'Cats')
  const other = await run(folder, '--format', 'jpeg')

  expect(done).toMatchObject({ code: 1, err: '' })
  expect(done.out).toContain('as AVIF, with quality 40, of at most 48 pixels\n')
  expect(done.out).toMatch(
    / {2}Written +3\n {2}Already there +0\n {2}Keep their format +1\n {4}loop.gif: It is animated.\n {2}Failed +1\n {4}broken.png: The file is damaged.\n$/,
  )
  expect(again.out).toMatch(/ {2}Written +0\n {2}Already there +3\n/)
  expect(await sharp(join(folder, 'Cats/cat.avif')).metadata()).toMatchObject({
    ...{ format: 'heif', compression: 'av1', width: 48, height: 32 },
  })
  expect(await readdir(join(folder, 'Assets'))).toEqual(['loop.gif', 'photo.avif'])
  expect(clean).toMatchObject({ code: 0, err: '' })
  const bytes = await readFile(join(`${folder}-2`, 'Cats/cat.png'), 'latin1')
  expect(bytes).not.toMatch(/tEXt|iTXt|zTXt|eXIf/)
  expect(other).toMatchObject({
    code: 2,
    err: expect.stringContaining('Repeat these options, or choose another folder.'),
  })
})

test('names animated images of which an older library does not know it', {
  timeout: 4 * MINUTE,
}, async () => {
  await fillLibrary()
  const database = new Database(join(dataFolder, 'tessera.db'))
  database.prepare('UPDATE images SET is_animated = NULL').run()
  database.close()
  const run = () => runExport(folder, '--data', dataFolder, '--format', 'webp')

  const kept = / {2}Keep their format +1\n {4}loop.gif: It is animated.\n {2}Failed +1\n/
  expect((await run()).out).toMatch(kept)
  const again = await run()
  expect(again.out).toMatch(/ {2}Already there +3\n/)
  expect(again.out).toMatch(kept)
})

test('converts no image with more pixels than --max-pixels', { timeout: 4 * MINUTE }, async () => {
  const server = await startServer({ dataFolder })
  await server.client.uploads.upload({ bytes: await drawFile('cat.png') }, {})
  await server.close()

  const done = await runExport(
    ...[folder, '--data', dataFolder, '--format', 'webp', '--max-pixels', '1000'],
  )

  expect(done).toMatchObject({ code: 1, err: '' })
  expect(done.out).toMatch(
    /Written +0\n.*Failed +1\n {4}cat.png: .*: 96 x 64 pixels are more than/s,
  )
})

test('draws a contact sheet as PNG and as PDF @long', { timeout: 4 * MINUTE }, async () => {
  await fillLibrary()
  const parent = join(dataFolder, '..')
  const draw = (name: string, ...args: string[]) =>
    runExport('--contact-sheet', join(parent, name), '--data', dataFolder, ...args)

  const png = await draw('sheet.png', '--columns', '2')
  const pdf = await draw('sheet.pdf', '--board', 'Cats', '--no-captions')
  const taken = await draw('sheet.pdf')
  const inLibrary = await draw('data/sheet.pdf')
  const nowhere = await draw('nowhere/sheet.pdf')

  expect(png).toMatchObject({ code: 0, err: '' })
  expect(png.out).toMatch(/^Drawing everything to .*\n {2}Images +4\n$/)
  expect(await sharp(join(parent, 'sheet.png')).metadata()).toMatchObject({
    ...{ format: 'png', width: 1600 },
  })
  const text = await readFile(join(parent, 'sheet.pdf'), 'latin1')
  expect(pdf).toMatchObject({ code: 0, err: '' })
  expect(text.startsWith('%PDF-1.4')).toBe(true)
  expect(text.endsWith('%%EOF\n')).toBe(true)
  expect(text).toContain('/Count 1 ')
  expect([taken.code, inLibrary.code, nowhere.code]).toEqual([2, 2, 2])
  expect(taken.err).toContain('sheet.pdf already exists. Choose another name.')
  expect(inLibrary.err).toContain('is in the data folder. Choose another folder.')
  expect(nowhere.err).toContain('There is no folder ')
  expect((await readdir(parent)).toSorted()).toEqual(['data', 'sheet.pdf', 'sheet.png'])
})

test('refuses file names on a contact sheet without fonts', { timeout: 4 * MINUTE }, async () => {
  await fillLibrary()
  const file = join(dataFolder, '../sheet.png')
  const fonts = join(dataFolder, '../fonts.conf')
  await writeFile(fonts, '<?xml version="1.0"?><fontconfig></fontconfig>')
  vi.stubEnv('FONTCONFIG_FILE', fonts)
  onTestFinished(() => void vi.unstubAllEnvs())

  const named = await runExport('--contact-sheet', file, '--data', dataFolder)
  const plain = await runExport('--contact-sheet', file, '--data', dataFolder, '--no-captions')

  expect(named).toMatchObject({
    code: 1,
    out: '',
    err: expect.stringContaining('or add --no-captions.\n'),
  })
  expect(plain).toMatchObject({ code: 0, out: expect.stringMatching(/Images +4/) })
})

test('continues converted files after a stop and a kill @long', {
  timeout: 8 * MINUTE,
}, async () => {
  const server = await startServer({ dataFolder })
  for (let at = 0; at < 24; at++)
    await server.client.uploads.upload({ bytes: await drawFile(`${at}.png`) }, {})
  await server.close()
  const start = () => startCommand('export', folder, '--data', dataFolder, '--format', 'avif')
  const filesIn = async () => (await readdir(join(folder, 'Assets')).catch(() => [])).length

  for (const [files, signal, code] of [
    [1, 'SIGINT', 130],
    [9, 'SIGKILL', null],
  ] as const) {
    const { child, ended } = start()
    await expect.poll(filesIn, { interval: 5 }).toBeGreaterThanOrEqual(files)
    child.kill(signal)
    const done = await ended
    // A fast machine may be done before the signal arrives.
    expect([code, 0]).toContain(done.code)
    if (done.code === 130) expect(done.out).toContain('Run the same command again to continue.')
  }
  const last = await start().ended

  expect(last).toMatchObject({ code: 0, err: '' })
  expect(await filesIn()).toBe(24)
  expect(await readdir(folder)).not.toContain('.tessera-export')
})

test('exits cleanly when its output is closed @long', { timeout: 4 * MINUTE }, async () => {
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
