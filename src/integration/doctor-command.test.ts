import {
  appendFile,
  cp,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  truncate,
  writeFile,
} from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import Database from 'better-sqlite3'
import sharp from 'sharp'
import { v7 } from 'uuid'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { connect } from '#client/index.ts'
import { seededRandom } from '#demo/seeded-random.ts'
import { type DoctorFlags, diagnose as diagnoseLibrary } from '#server/commands/doctor.ts'
import { imagePath } from '#server/storage/disk/image-path.ts'
import { openRecords } from '#server/storage/sqlite/open-records.ts'
import { drawClip, drawClipWithoutFrames } from '#testing/library/draw-clip.ts'
import { fillLibrary } from '#testing/library/fill-library.ts'
import { killSeed, roundsOf } from '#testing/rounds.ts'
import { runCommand, startCommand } from '#testing/server/run-command.ts'
import { ServerProcess } from '#testing/server/server-process.ts'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'
import { expectConsistentLibrary, hashOfImage } from './library-consistency.ts'

/** An intact library. Each test damages a copy of it. */
let original: string
let names: string[]
beforeAll(async () => {
  original = await createTemporaryFolder()
  await fillLibrary(original, { imageCount: 8, pictureCount: 8, longestPx: 32 })
  const records = await openRecords({ dataFolder: original })
  names = await records.upkeep.allNames(null, 10)
  await records.close()
})
afterAll(() => removeFolder(original))

let folder: string
beforeEach(async () => {
  folder = await createTemporaryFolder()
  await cp(original, folder, { recursive: true, preserveTimestamps: true })
})
afterEach(() => removeFolder(folder))

const doctor = (...flags: string[]) => runCommand('doctor', '--data', folder, ...flags)

/** Runs in this process, because starting another takes a second. */
const diagnose = async (flags: Omit<DoctorFlags, 'data'> = {}) => {
  const hooks = { signal: new AbortController().signal, onProgress: () => {} }
  const { problems } = await diagnoseLibrary({ data: folder, ...flags }, hooks)
  const left = problems.filter(({ isRepaired }) => !isRepaired)
  const texts = problems.map(({ text, advice }) => `${text} ${advice}`).join('\n')
  return { kinds: problems.map(({ kind }) => kind), left: left.map(({ kind }) => kind), texts }
}

const well = { kinds: [], left: [], texts: '' }

const pathOf = (at: number) => imagePath(join(folder, 'images'), names[at] ?? '')

const addStray = async () => {
  const name = `${v7()}.png`
  const path = imagePath(join(folder, 'images'), name)
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, await readFile(pathOf(7)))
  return name
}

/** Changes the database without going through Tessera. */
const change = (sql: string) => new Database(join(folder, 'tessera.db')).exec(sql).close()

test('reports an intact library as healthy', async () => {
  const { code, out } = await doctor('--deep')

  expect(out).toMatch(/^Checked 8 images, [\d,]+ bytes read\.\nAll is well\.\n$/)
  expect(code).toBe(0)
})

test('names damaged, missing and unknown originals, and changed bytes only with --deep @long', async () => {
  await rm(pathOf(0))
  await truncate(pathOf(1), 10)
  const bytes = await readFile(pathOf(2))
  await writeFile(pathOf(2), bytes.fill(7, 50, 60))
  const stray = await addStray()

  const { code, out } = await doctor()
  expect(code).toBe(1)
  for (const name of [names[0], names[1], stray]) expect(out).toContain(name)
  expect(out).not.toContain(names[2])
  expect(out).toMatch(
    /Problem: 1 image is without a file\.[\s\S]*Problem: 1 image is damaged: the size/,
  )
  const { left } = await diagnose({ deep: true, repair: true, setAside: true })
  expect(left).toEqual(['missing_files', 'wrong_size', 'wrong_bytes'])
  expect(await readdir(join(folder, 'set-aside'))).toEqual([expect.stringContaining(stray)])
})

test('repairs a file that was set aside, old thumbnails and temporary files @long', async () => {
  await mkdir(join(folder, 'set-aside'))
  await mkdir(join(folder, 'incoming'))
  await rename(pathOf(3), join(folder, 'set-aside', `1700000000000-${v7()}-${names[3]}`))
  const thumbnail = imagePath(join(folder, 'thumbnails', '384'), v7().concat('.png'))
  await mkdir(dirname(thumbnail), { recursive: true })
  await writeFile(`${thumbnail}.webp`, 'old')
  await writeFile(join(folder, 'incoming', 'left'), 'over')

  const kinds = ['missing_files', 'stray_thumbnails', 'temporary_files']
  expect(await diagnose()).toMatchObject({ kinds, left: kinds })
  expect(await diagnose({ repair: true })).toMatchObject({ kinds, left: [] })
  expect(await diagnose({ deep: true })).toEqual(well)
})

test('repairs wrong counts, a dropped index and a damaged search index @long', async () => {
  change('UPDATE image_counts SET n = n + 5; DELETE FROM images_fts WHERE rowid = 2')
  const faults = ['counters', 'search']
  expect(await diagnose()).toMatchObject({ kinds: faults, left: faults })
  expect(await diagnose({ repair: true })).toMatchObject({ kinds: faults, left: [] })

  change('DROP INDEX all_created; DROP TRIGGER image_added')
  expect((await diagnose()).texts).toContain('lacks parts: index all_created, trigger image_added')
  expect(await diagnose({ repair: true })).toMatchObject({ kinds: ['schema'], left: [] })

  const server = await ServerProcess.start({ dataFolder: folder })
  const client = connect({ baseUrl: server.url })
  const found = await client.images.names({ query: 'picture' })
  expect(found.total_count).toBe(8)
  await expectConsistentLibrary(client, folder)
  await server.close()
})

test('reports a missing table or damaged pages in one sentence', async () => {
  change('DROP TABLE tombstones')
  expect((await diagnose()).texts).toMatch(
    /^The database lacks parts: table tombstones\. Bring back a backup of tessera\.db/,
  )

  await writeFile(join(folder, 'tessera.db'), 'no database'.repeat(1000))
  expect((await diagnose()).texts).toMatch(/^The database is damaged: [^\n]*doctor --repair[^\n]*$/)
})

test('rebuilds a missing database from the files on request', async () => {
  await rm(join(folder, 'tessera.db'))
  const notAnImage = await addStray()
  await appendFile(imagePath(join(folder, 'images'), notAnImage), 'x')
  await truncate(imagePath(join(folder, 'images'), notAnImage), 20)

  await expect(diagnose({ repair: true })).rejects.toThrow('doctor --adopt')
  const { left } = await diagnose({ adopt: true })
  expect(left).toEqual(['unreadable_files'])

  const server = await ServerProcess.start({ dataFolder: folder })
  const client = connect({ baseUrl: server.url })
  const { image_names } = await client.images.names({})
  expect(image_names.toSorted()).toEqual(names)
  for (const name of names) await hashOfImage(server.url, name)
  expect((await client.images.get(names[0] ?? ''))?.created_at).toMatch(/^20\d\d-/)
  await server.close()
})

test('rebuilds the records of videos, also of one without a poster @long', async () => {
  await rm(join(folder, 'tessera.db'))
  const added = [await drawClip({ hasSound: true }), await drawClipWithoutFrames()]
  const videos = added.map(() => `${v7()}.mp4`)
  for (const [at, name] of videos.entries()) {
    const path = imagePath(join(folder, 'images'), name)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, added[at] ?? '')
  }

  expect((await diagnose({ adopt: true })).left).toEqual([])

  const records = await openRecords({ dataFolder: folder })
  const [clip, withoutPoster] = await Promise.all(videos.map((name) => records.videos.get(name)))
  await records.close()
  expect(clip).toMatchObject({ codec: 'h264', duration: 1, has_sound: true, width: 64 })
  expect(clip?.thumbhash).not.toBeNull()
  expect(withoutPoster).toMatchObject({ duration: 1, thumbhash: null })
  expect(await diagnose({ deep: true })).toEqual(well)
})

test('only reads while a server is running @long', async () => {
  const server = await ServerProcess.start({ dataFolder: folder })

  expect(await diagnose({ deep: true })).toEqual(well)
  await expect(diagnose({ repair: true })).rejects.toThrow('Stop it first')
  await server.close()
})

test('rejects --adopt together with --set-aside', async () => {
  expect(await doctor('--adopt', '--set-aside')).toMatchObject({ code: 2 })
})

/** Makes the library one of an earlier version that read no metadata. Returns the metadata that it had. */
const forgetMetadata = async () => {
  const before = await readMetadata()
  change('UPDATE images SET reader_version = 0, generator = NULL, prompt_start = NULL')
  change('DELETE FROM image_metadata')
  return before
}

const readMetadata = async () => {
  const { images, close } = await openRecords({ dataFolder: folder })
  const all = await Promise.all(
    names.map(async (name) => [await images.get(name), await images.metadata(name)]),
  )
  await close()
  return all
}

test('reads the metadata of an earlier version again with --reread', async () => {
  const before = await forgetMetadata()

  const first = await doctor('--reread')
  const second = await diagnoseLibrary(
    { data: folder, reread: true },
    { signal: new AbortController().signal, onProgress: () => {} },
  )

  expect(first.out).toContain('Read the metadata of 8 images again.\nAll is well.')
  expect(await readMetadata()).toEqual(before)
  expect(second).toMatchObject({ reread: 0, problems: [] })
})

test('says in one line why metadata cannot be read again', async () => {
  await rm(join(folder, 'images'), { recursive: true })
  change('UPDATE images SET reader_version = 0')

  expect(await doctor('--reread')).toMatchObject({
    code: 1,
    err: 'tessera: The originals of the library are missing.\n',
  })
})

test('reads ratings and tags of files again with --reread-ratings only @long', async () => {
  const xmp =
    '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:Rating="5" xmp:Label="Red"/></rdf:RDF></x:xmpmeta>'
  const name = await addStray()
  await writeFile(
    imagePath(join(folder, 'images'), name),
    await sharp(pathOf(7)).withXmp(xmp).png().toBuffer(),
  )
  await diagnose({ adopt: true })
  change('UPDATE images SET rating = 0; DELETE FROM image_tags')
  const marks = () => {
    const database = new Database(join(folder, 'tessera.db'), { readonly: true })
    const rows = database
      .prepare(
        'SELECT rating, name FROM images LEFT JOIN image_tags ON image = images.id LEFT JOIN tags ON tags.id = tag WHERE image_name = ?',
      )
      .raw()
      .all(name)
    database.close()
    return rows
  }

  await diagnose({ reread: true })
  expect(marks()).toEqual([[0, null]])
  const { code, out } = await doctor('--reread-ratings')

  expect(code).toBe(0)
  expect(out).toContain('Gave 1 image the rating or the tags in its file.')
  expect(marks()).toEqual([[5, 'label/Red']])
})

const KILLS = roundsOf({ usual: 1, all: 5 })

test(`reads all metadata again after kills (rounds: ${KILLS}, seed: ${killSeed}) @long`, async () => {
  const random = seededRandom(killSeed)
  const before = await forgetMetadata()

  for (let kills = 0; kills < KILLS; kills++) {
    const { child, ended } = startCommand('doctor', '--data', folder, '--reread')
    await sleep(random.integer(300, 1_500))
    child.kill('SIGKILL')
    await ended
  }
  const { code } = await doctor('--reread')

  expect(code).toBe(0)
  expect(await readMetadata()).toEqual(before)
})
