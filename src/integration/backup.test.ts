import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { connect } from '#client/index.ts'
import { seededRandom } from '#demo/seeded-random.ts'
import {
  databaseNameAt,
  prepareBackupFolder,
  readManifest,
} from '#server/storage/backup/backup-manifest.ts'
import { restoreBackup } from '#server/storage/backup/restore-backup.ts'
import { writeBackup } from '#server/storage/backup/write-backup.ts'
import { drawFile } from '#testing/library/draw-file.ts'
import { openLibrary } from '#testing/library/open-library.ts'
import { roundsOf } from '#testing/rounds.ts'
import { runCommand, startCommand } from '#testing/server/run-command.ts'
import { ServerProcess } from '#testing/server/server-process.ts'
import { type RunningServer, startServer } from '#testing/server/start-server.ts'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'
import { KillWorkload } from './kill-workload.ts'
import { expectConsistentLibrary, sha256 } from './library-consistency.ts'
import { anyStep, LibraryModel } from './library-model.ts'

const MINUTE = 60_000

let parent: string
beforeEach(async () => {
  parent = await createTemporaryFolder()
  onTestFinished(() => removeFolder(parent))
})

const backUp = async (dataFolder: string, folder: string) => {
  const root = await prepareBackupFolder(folder, dataFolder)
  const options = { version: '1.2.3', deep: false, link: false, keep: 3, prune: false }
  return writeBackup({ dataFolder, root, ...options })
}

const restoreTo = async (root: string, dataFolder: string) => {
  const [snapshot] = (await readManifest(root))?.snapshots ?? []
  if (snapshot === undefined) throw new Error('no backup')
  await mkdir(dataFolder)
  const options = { command: '', deep: false, replace: false }
  expect(await restoreBackup({ root, snapshot, dataFolder, ...options })).toMatchObject({
    failed: 0,
  })
}

/** Boards, images and stars as the API returns them. */
const contentOf = async ({ client, dataFolder }: RunningServer) => ({
  places: await expectConsistentLibrary(client, dataFolder),
  boards: await client.boards.listBoards({ includeUncategorized: true }),
  images: (await client.images.page({}, { offset: 0, limit: -1 })).items,
})

/** All image files below a folder with their hashes. */
const filesIn = async (folder: string) => {
  const entries = await readdir(join(folder, 'images'), { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  const hashes = files.map(async ({ parentPath, name }) => {
    return [name, sha256(await readFile(join(parentPath, name)))] as const
  })
  return new Map((await Promise.all(hashes)).sort())
}

test(
  'restores the library exactly as it was at the time of the backup',
  async () => {
    const file = await drawFile('cat.png', { widthPx: 32, heightPx: 24 })
    const steps = fc.array(anyStep, { minLength: 5, maxLength: 40, size: 'max' })
    let run = 0

    const property = fc.asyncProperty(steps, steps, steps, async (first, second, third) => {
      run++
      const [folder, restored] = [join(parent, `backup-${run}`), join(parent, `restored-${run}`)]
      const server = await startServer()
      const model = new LibraryModel(server.client, file)
      const take = async (all: typeof first) => {
        for (const step of all) await model.take(step)
      }
      let atBackup: Awaited<ReturnType<typeof contentOf>>
      try {
        await take(first)
        await backUp(server.dataFolder, folder)
        await take(second)
        atBackup = await contentOf(server)
        await backUp(server.dataFolder, folder)
        await take(third)
      } finally {
        await server.close()
      }

      await restoreTo(folder, restored)

      const again = await startServer({ dataFolder: restored })
      try {
        expect(await contentOf(again)).toEqual(atBackup)
      } finally {
        await again.close()
      }
    })
    const numRuns = roundsOf({ usual: 1, all: 3 })
    await fc.assert(property, { numRuns, interruptAfterTimeLimit: MINUTE })
  },
  5 * MINUTE,
)

test(
  'backs up a consistent library while clients change it @long',
  async () => {
    const dataFolder = join(parent, 'data')
    const server = await ServerProcess.start({ dataFolder })
    const client = connect({ baseUrl: server.url })
    const file = await drawFile('cat.png', { widthPx: 160, heightPx: 120 })
    const hash = sha256(new Uint8Array(await file.arrayBuffer()))
    const board = await client.boards.createBoard('Cats')
    const workers = [1, 2].map(
      (seed) => new KillWorkload(client, seededRandom(seed), [{ file, hash }], [board.boardId]),
    )
    for (const worker of workers) await worker.begin()
    const work = Promise.all(workers.map((worker) => worker.run()))

    const folder = join(parent, 'backup')
    for (const round of [1, 2, 3]) {
      expect(await backUp(dataFolder, folder), `backup ${round}`).toMatchObject({ failed: 0 })
    }
    await server.kill()
    await work
    await restoreTo(folder, join(parent, 'restored'))

    const again = await startServer({ dataFolder: join(parent, 'restored') })
    onTestFinished(() => again.close())
    expect((await expectConsistentLibrary(again.client, again.dataFolder)).size).toBeGreaterThan(0)
    expect(new Set((await filesIn(again.dataFolder)).values())).toEqual(new Set([hash]))
  },
  2 * MINUTE,
)

const IMAGES = 40

test(
  'resumes a killed backup and a killed restore with the same result @long',
  async () => {
    const library = await openLibrary()
    for (let at = 0; at < IMAGES; at++) {
      const source = (await drawFile('cat.png')).stream()
      await library.ingest.ingest({ source, category: 'user', fileName: `${at}.png` })
    }
    const [folder, restored] = [join(parent, 'backup'), join(parent, 'restored')]
    const killAt = async (images: number, within: string, ...args: string[]) => {
      const { child, ended } = startCommand(...args)
      await vi.waitFor(
        async () => {
          const files = await filesIn(within).catch(() => new Map())
          expect(files.size).toBeGreaterThanOrEqual(images)
        },
        { timeout: MINUTE, interval: 2 },
      )
      child.kill('SIGKILL')
      await ended
    }

    const backup = ['backup', folder, '--data', library.dataFolder]
    for (const images of [1, IMAGES / 2]) await killAt(images, folder, ...backup)
    expect(await runCommand(...backup)).toMatchObject({ code: 0, err: '' })
    expect(await filesIn(folder)).toEqual(await filesIn(library.dataFolder))

    const restore = ['restore', folder, '--data', restored]
    for (const images of [1, 2]) await killAt(images, restored, ...restore)
    expect(await runCommand(...restore)).toMatchObject({ code: 0, err: '' })
    expect(await filesIn(restored)).toEqual(await filesIn(library.dataFolder))
    expect(await readdir(folder)).not.toContain('.tessera-backup')
  },
  4 * MINUTE,
)

test(
  'reports results and errors of the backup and restore commands @long',
  async () => {
    const [dataFolder, folder, restored] = ['data', 'backup', 'restored'].map((name) =>
      join(parent, name),
    ) as [string, string, string]
    expect(await runCommand('backup', folder, '--data', dataFolder)).toMatchObject({
      code: 2,
      err: `tessera: There is no library in ${dataFolder}. Give its folder with --data.\n`,
    })
    const server = await startServer({ dataFolder })
    await server.client.uploads.upload({ bytes: await drawFile('cat.png') }, {})

    const ended = await runCommand('backup', folder, '--data', dataFolder)
    await server.close()
    const next = await runCommand('backup', folder, '--data', dataFolder)
    const json = await runCommand('backup', folder, '--data', dataFolder, '--json')
    const occupied = await runCommand('restore', folder, '--data', dataFolder)
    const whole = await runCommand('restore', folder, '--data', restored)
    const again = await runCommand('restore', folder, '--data', restored)
    const none = await runCommand('restore', parent, '--data', join(parent, 'x'))

    expect(ended).toMatchObject({ code: 0, err: '' })
    expect(ended.out).toMatch(
      /Images +1 .*\n {2}Copied +1 .*\n {2}Already there +0\n {2}Failed +0\n/,
    )
    expect(next.out).toMatch(/The last complete backup is of .*, with 1 image\./)
    expect(JSON.parse(json.out)).toMatchObject({ images: 1, there: 1, copied: 0, failed: 0 })
    expect(occupied).toMatchObject({ code: 1, err: expect.stringMatching(/not empty.*--replace/) })
    expect(whole).toMatchObject({ code: 0, out: expect.stringMatching(/Copied +1 /) })
    expect(again).toMatchObject({ code: 0, out: expect.stringContaining('is there already') })
    expect(none).toMatchObject({ code: 2, err: expect.stringContaining('not a complete backup') })
  },
  2 * MINUTE,
)

test('refuses to open a folder with an interrupted restore', async () => {
  const note = { command: 'tessera restore "/b"', database: 'x', setAside: null, isMoved: true }
  await writeFile(join(parent, 'unfinished-restore.json'), JSON.stringify(note))

  await expect(startServer({ dataFolder: parent })).rejects.toThrow(
    'was cut off. Finish it first: tessera restore "/b"',
  )
  expect(await readdir(parent)).not.toContain('tessera.db')
})

test(
  'backs up the database on schedule and names the backup if the database is damaged @long',
  async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const server = await startServer({ dataFolder: parent, backupEveryDays: 1 })
    await server.client.boards.createBoard('Cats')
    const { clock } = server
    const name = databaseNameAt(clock())
    // Also starts a check of the database, which must not outlive the server.
    vi.advanceTimersByTime(MINUTE)
    vi.useRealTimers()
    const backups = join(parent, 'backups')
    await expect.poll(() => readdir(backups), { timeout: MINUTE }).toEqual([name])
    await server.client.boards.createBoard('Dogs')
    await server.close()
    await writeFile(join(parent, 'tessera.db'), 'not a database '.repeat(500))

    expect(await readdir(parent)).not.toContain('tessera.db-wal')
    const refused = await startServer({ dataFolder: parent }).catch(String)
    expect(refused).toBeTypeOf('string')
    const path = join(backups, name)
    const args = ['restore', path, '--replace', '--data', parent]
    const restored = await runCommand(...args)
    const again = await startServer({ dataFolder: parent })
    const boards = await again.client.boards.listBoards({})
    await again.close()

    const command = `tessera restore "${path}" --replace --data "${parent}"`
    expect(refused).toContain(`is damaged`)
    expect(refused).toContain(`The newest automatic backup is of 2026-01-01T00:00:00.000Z`)
    expect(refused).toContain(command)
    expect(restored).toMatchObject({ code: 0, err: '' })
    expect(boards.map(({ board_name }) => board_name)).toEqual(['Cats'])
  },
  2 * MINUTE,
)

test('lists files without a record after restoring an old database, and how to keep them @long', async () => {
  const upload = async (...names: string[]) => {
    const server = await startServer({ dataFolder: parent })
    for (const name of names) await server.client.uploads.upload({ bytes: await drawFile(name) })
    await server.close()
  }
  await upload('old.png')
  const database = join(await createTemporaryFolder(), 'old.db')
  onTestFinished(() => removeFolder(dirname(database)))
  await copyFile(join(parent, 'tessera.db'), database)
  await upload('new 1.png', 'new 2.png')

  const restored = await runCommand('restore', database, '--replace', '--data', parent)
  const adopted = await runCommand('doctor', '--adopt', '--data', parent)

  expect(restored.out).toContain('2 files in images/')
  expect(restored.out).toContain(`tessera doctor --adopt --data "${parent}"`)
  expect(adopted).toMatchObject({ code: 0 })
  const server = await startServer({ dataFolder: parent })
  expect((await server.client.images.names({})).image_names).toHaveLength(3)
  await expectConsistentLibrary(server.client, parent)
  await server.close()
})
