import { appendFile, readdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Refusal } from '#server/core/refusal.ts'
import { openImportSources } from '#server/storage/import/open-import-source.ts'
import { drawClip } from '#testing/library/draw-clip.ts'
import { endlessMatroska } from '#testing/library/endless-matroska.ts'
import {
  boardsOf,
  imagesOf,
  importToEnd,
  openImports,
  openTree,
} from '#testing/library/open-imports.ts'
import { type Library, openLibrary, reuseLibraries } from '#testing/library/open-library.ts'
import { drawnBytes, writeTree } from '#testing/library/write-tree.ts'
import type { ImportService } from './import-service.ts'

const getLibrary = reuseLibraries()

const PATIENTLY = { timeout: 50_000 }

const three = { 'a.png': null, 'b.png': null, 'x/c.png': null }

/** An intake that calls a function before its nth decode. */
const intakeThat = ({ intake }: Library, nth: number, act: () => Promise<unknown>) => {
  let count = 0
  const decode: Library['intake']['decode'] = async (...args) => {
    count++
    if (count === nth) await act()
    return intake.decode(...args)
  }
  return { ...intake, decode }
}

const stateOf = (imports: ImportService, importId: string) => () => imports.get(importId).state

test('imports nothing while paused', async () => {
  const imports = openImports(await getLibrary())
  const { import_id } = await imports.start({ folder: await openTree(three) })

  expect(imports.pause(import_id).state).toBe('paused')
  await expect.poll(() => imports.get(import_id).is_counted, PATIENTLY).toBe(true)
  expect(imports.get(import_id)).toMatchObject({ state: 'paused', found: 3, taken_in: 0 })
  imports.resume(import_id)

  expect(await imports.waitForEnd(import_id)).toMatchObject({ state: 'completed', taken_in: 3 })
})

test('continues a canceled import when it is started again', async () => {
  const library = await getLibrary()
  const folder = await openTree(three)
  let importId = ''
  const intake = intakeThat(library, 2, async () => {
    void imports.cancel(importId)
  })
  const imports: ImportService = openImports(library, { intake })
  importId = (await imports.start({ folder })).import_id

  const canceled = await imports.waitForEnd(importId)
  expect(canceled.state).toBe('canceled')
  const rest = await importToEnd(imports, { folder })
  expect(rest.taken_in + canceled.taken_in).toBe(3)
  expect((await imagesOf(library)).map((image) => image.fileName)).toEqual([
    'a.png',
    'b.png',
    'c.png',
  ])
})

test('decodes nothing and leaves no files after a cancellation', async () => {
  const library = await getLibrary()
  let importId = ''
  let decodes = 0
  const intake: Library['intake'] = {
    ...library.intake,
    decode: async (...args) => {
      decodes++
      if (decodes === 3) void imports.cancel(importId)
      return library.intake.decode(...args)
    },
  }
  const imports: ImportService = openImports(library, { intake })
  const names = Array.from({ length: 20 }, (_, at) => [`${at}.png`, null])
  importId = (await imports.start({ folder: await openTree(Object.fromEntries(names)) })).import_id

  const canceled = await imports.waitForEnd(importId)

  expect(decodes).toBe(3)
  expect(canceled).toMatchObject({ state: 'canceled', refused: 0 })
  expect(canceled.taken_in).toBeLessThanOrEqual(3)
  expect(await readdir(join(library.dataFolder, 'incoming'))).toEqual([])
})

test('leaves a file for later if the reader closes during its decode', async () => {
  const library = await openLibrary()
  const intake: Library['intake'] = {
    ...library.intake,
    decode: async (...args) => {
      const decoding = library.intake.decode(...args)
      void imports.close()
      const [decoded] = await Promise.all([decoding, library.intake.close()])
      return decoded
    },
  }
  const imports: ImportService = openImports(library, { intake })
  const { import_id } = await imports.start({ folder: await openTree({ 'a.png': null }) })

  expect(await imports.waitForEnd(import_id)).toMatchObject({ state: 'canceled', refused: 0 })
  expect(await readdir(join(library.dataFolder, 'incoming'))).toEqual([])
})

test.each(['takeIn', 'commit'])(
  'pauses without losing files if the disk is full at %s',
  async (at) => {
    const library = await getLibrary()
    let isFull = true
    const assertRoom = () => {
      if (isFull) throw new Refusal('disk_full')
    }
    const intake: Library['intake'] = {
      ...library.intake,
      takeIn: async (...args) => {
        if (at === 'takeIn') assertRoom()
        return library.intake.takeIn(...args)
      },
    }
    const files: Library['files'] = {
      ...library.files,
      keep: async (...args) => {
        if (at === 'commit') assertRoom()
        return library.files.keep(...args)
      },
    }
    const imports = openImports(library, { files, intake })
    const { import_id } = await imports.start({ folder: await openTree(three) })

    await expect.poll(stateOf(imports, import_id), PATIENTLY).toBe('paused')
    expect(imports.get(import_id).error).toContain('full')
    isFull = false
    imports.resume(import_id)

    const done = await imports.waitForEnd(import_id)
    expect(done).toMatchObject({ state: 'completed', error: null, taken_in: 3, refused: 0 })
  },
)

test('reads a changing file once more and then refuses it', async () => {
  const library = await getLibrary()
  const changes = new Map([
    ['a.png', 1],
    ['b.png', 2],
  ])
  const takeIn: Library['intake']['takeIn'] = async (path, options) => {
    const left = changes.get(path.slice(-5)) ?? 0
    changes.set(path.slice(-5), left - 1)
    if (left > 0) throw new Refusal('file_changed')
    return library.intake.takeIn(path, options)
  }
  const imports = openImports(library, { intake: { ...library.intake, takeIn } })

  const done = await importToEnd(imports, { folder: await openTree(three) })

  expect(done).toMatchObject({ taken_in: 2, refusals: [{ code: 'file_changed' }] })
})

test('retries while the records are busy', async () => {
  const library = await getLibrary()
  let asked = 0
  const busyAtFirst = <Args extends unknown[], T>(ask: (...args: Args) => Promise<T>) => {
    return async (...args: Args) => {
      if (++asked % 2 === 1) throw new Refusal('busy')
      return ask(...args)
    }
  }
  const { areKnown, hasBytes, add } = library.imports
  const records = {
    areKnown: busyAtFirst(areKnown),
    hasBytes: busyAtFirst(hasBytes),
    add: busyAtFirst(add),
  }
  const imports = openImports(library, { imports: { ...library.imports, ...records } })

  const done = await importToEnd(imports, { folder: await openTree(three) })

  expect(done).toMatchObject({ state: 'completed', taken_in: 3, refused: 0 })
})

test('creates a board again that was deleted meanwhile', async () => {
  const library = await getLibrary()
  let deleted = 0
  const boardNamed: Library['imports']['boardNamed'] = async (name) => {
    const boardId = await library.imports.boardNamed(name)
    if (deleted++ === 0) await library.boards.remove(boardId, { images: 'delete' })
    return boardId
  }
  const imports = openImports(library, { imports: { ...library.imports, boardNamed } })

  const done = await importToEnd(imports, { folder: await openTree({ 'x/a.png': null }) })

  expect(done).toMatchObject({ state: 'completed', taken_in: 1 })
  expect(await imagesOf(library)).toMatchObject([{ fileName: 'a.png', board: 'x' }])
})

test('imports new files of a watched folder when they are complete', async () => {
  const library = await getLibrary()
  const imports = openImports(library)
  const folder = await openTree({ 'a.png': null })
  const { import_id } = await imports.start({ folder, watch: true })
  await expect.poll(stateOf(imports, import_id), PATIENTLY).toBe('watching')

  const bytes = await drawnBytes('later.png')
  await writeFile(join(folder, 'later.png'), bytes.subarray(0, 500))
  await writeFile(join(folder, 'later.png'), bytes)
  await writeTree(folder, { 'New/deep/c.png': null, 'New/notes.txt': 'passed over' })

  await expect.poll(() => imports.get(import_id).taken_in, PATIENTLY).toBe(3)
  await rename(join(folder, 'a.png'), join(folder, 'renamed.png')) // known by its bytes
  await expect.poll(() => imports.get(import_id).known, PATIENTLY).toBeGreaterThan(0)
  const done = await imports.cancel(import_id)
  expect(done).toMatchObject({ state: 'canceled', taken_in: 3, refused: 0 })
  expect((await boardsOf(library)).map((board) => board.board_name)).toEqual(['New/deep'])
})

test('waits for a video in a watched folder while it is written', async () => {
  const library = await getLibrary()
  // Unlike in other tests, the default time to wait, which no pause of this process reaches.
  const open = openImportSources({ dataFolder: library.dataFolder })
  const imports = openImports(library, { open })
  const folder = await openTree({})
  const { import_id } = await imports.start({ folder, watch: true })
  await expect.poll(stateOf(imports, import_id), PATIENTLY).toBe('watching')
  const clip = await drawClip()
  const path = join(folder, 'clip.mp4')

  // Grows until an image that came later is there.
  await writeFile(path, clip.subarray(0, clip.length / 2))
  let written = Math.floor(clip.length / 2)
  await writeTree(folder, { 'a.png': null })
  const growAndCount = async () => {
    if (written < clip.length - 1) await appendFile(path, clip.subarray(written, ++written))
    return imports.get(import_id).taken_in
  }
  await expect.poll(growAndCount, { ...PATIENTLY, interval: 20 }).toBe(1)
  await appendFile(path, clip.subarray(written))

  await expect.poll(() => imports.get(import_id).videos, PATIENTLY).toBe(1)
  expect(await imports.cancel(import_id)).toMatchObject({ taken_in: 2, videos: 1, refused: 0 })
})

test('takes in a recording once, although its writer pauses @long', async () => {
  const library = await getLibrary()
  const imports = openImports(library)
  const folder = await openTree({})
  const { import_id } = await imports.start({ folder, watch: true })
  await expect.poll(stateOf(imports, import_id), PATIENTLY).toBe('watching')
  const clip = await drawClip({ container: 'mkv', frames: 30 })
  const path = join(folder, 'recording.mkv')

  // A player plays these frames. The image that came later is taken in first.
  await writeFile(path, endlessMatroska(clip).subarray(0, clip.length * 0.8))
  await writeTree(folder, { 'a.png': null })
  await expect.poll(() => imports.get(import_id).taken_in, PATIENTLY).toBe(1)
  await writeTree(folder, { 'b.png': null })
  await expect.poll(() => imports.get(import_id).taken_in, PATIENTLY).toBe(2)
  expect(imports.get(import_id)).toMatchObject({ videos: 0, refused: 0 })
  await writeFile(path, clip)

  await expect.poll(() => imports.get(import_id).videos, PATIENTLY).toBe(1)
  expect(await imports.cancel(import_id)).toMatchObject({ taken_in: 3, videos: 1, refused: 0 })
})

test('takes in a recording whose writer never ends it @long', async () => {
  const library = await getLibrary()
  const open = openImportSources({ dataFolder: library.dataFolder, settleMs: 50, openMs: 400 })
  const imports = openImports(library, { open })
  const folder = await openTree({})
  const { import_id } = await imports.start({ folder, watch: true })
  await expect.poll(stateOf(imports, import_id), PATIENTLY).toBe('watching')

  const clip = await drawClip({ container: 'mkv' })
  await writeFile(join(folder, 'recording.mkv'), endlessMatroska(clip))

  await expect.poll(() => imports.get(import_id).videos, PATIENTLY).toBe(1)
  expect(await imports.cancel(import_id)).toMatchObject({ taken_in: 1, refused: 0 })
})

test('refuses a second active import of one folder', async () => {
  const imports = openImports(await getLibrary())
  const folder = await openTree(three)
  const { import_id } = await imports.start({ folder })
  imports.pause(import_id)

  await expect(imports.start({ folder })).rejects.toMatchObject({ code: 'import_under_way' })
  await imports.cancel(import_id)
  const again = await imports.start({ folder })
  expect(imports.list().map((each) => each.import_id)).toEqual([again.import_id, import_id])
  expect(() => imports.get('nothing')).toThrow(
    expect.objectContaining({ code: 'import_not_found' }),
  )
})
