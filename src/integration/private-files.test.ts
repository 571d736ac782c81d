import { mkdir, readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { connect } from '#client/index.ts'
import { drawFile } from '#testing/library/draw-file.ts'
import { runCommand } from '#testing/server/run-command.ts'
import { ServerProcess } from '#testing/server/server-process.ts'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'

const MINUTE = 60_000

let parent: string
beforeEach(async () => {
  parent = await createTemporaryFolder()
  onTestFinished(() => removeFolder(parent))
})

const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8)

/** Returns the modes of all files and folders below a folder, including itself. */
const modesIn = async (root: string) => {
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  const modes = { files: new Set<string>(), folders: new Set([await modeOf(root)]) }
  for (const entry of entries) {
    const kind = entry.isDirectory() ? modes.folders : modes.files
    kind.add(await modeOf(join(entry.parentPath, entry.name)))
  }
  return { files: [...modes.files], folders: [...modes.folders] }
}

/** Returns the default modes of new files and folders of this user. */
const usualModes = async () => {
  const folder = join(parent, 'usual')
  await mkdir(folder)
  await writeFile(join(folder, 'file'), '')
  return modesIn(folder)
}

const ownModes = { files: ['600'], folders: ['700'] }

/** Runs a server, uploads an image, and reads the modes while the server is running. */
const modesWhileServing = async (dataFolder: string) => {
  const server = await ServerProcess.start({ dataFolder })
  onTestFinished(() => server.close())
  const client = await connect({ baseUrl: server.url })
  await client.uploads.upload({ bytes: await drawFile('cat.png') }, {})
  const modes = await modesIn(dataFolder)
  const names = await readdir(dataFolder)
  await server.stop()
  return { modes, names }
}

test('creates a private library and exports with default permissions @long', {
  timeout: 2 * MINUTE,
}, async () => {
  const dataFolder = join(parent, 'data')
  const usual = await usualModes()

  const { modes, names } = await modesWhileServing(dataFolder)
  expect(names).toEqual(expect.arrayContaining(['tessera.db', 'tessera.db-wal', 'server.json']))
  expect(modes).toEqual(ownModes)

  const pictures = join(parent, 'pictures')
  await mkdir(pictures)
  await writeFile(join(pictures, 'dog.png'), await drawFile('dog.png').then((file) => file.bytes()))
  const report = join(parent, 'report')
  const backup = join(parent, 'backup')
  const restored = join(parent, 'restored')
  const exported = join(parent, 'exported')
  const data = ['--data', dataFolder]
  for (const command of [
    ['import', pictures, '--report', report, ...data],
    ['doctor', '--repair', ...data],
    ['backup', backup, ...data],
    ['restore', backup, '--data', restored],
    ['export', exported, ...data],
  ]) {
    expect(await runCommand(...command)).toMatchObject({ code: 0, err: '' })
  }
  expect(await modesIn(dataFolder)).toEqual(ownModes)
  expect(await modesIn(backup)).toEqual(ownModes)
  expect(await modesIn(restored)).toEqual(ownModes)
  expect(await modesIn(exported)).toEqual(usual)
  expect([await modeOf(report)]).toEqual(usual.files)
})

test('keeps the permissions of an existing data folder', { timeout: MINUTE }, async () => {
  const dataFolder = join(parent, 'data')
  await mkdir(dataFolder)

  const { modes } = await modesWhileServing(dataFolder)

  expect(modes).toEqual(await usualModes())
})
