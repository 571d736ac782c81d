import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Import, ImportRefusal } from '#contract/import.ts'
import { writeTree } from '#testing/library/write-tree.ts'
import { runCommand, startCommand } from '#testing/server/run-command.ts'
import { ServerProcess } from '#testing/server/server-process.ts'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'

let folder: string
let dataFolder: string
beforeEach(async () => {
  folder = await createTemporaryFolder()
  dataFolder = join(folder, '.library')
})
afterEach(() => removeFolder(folder))

const importFolder = (...flags: string[]) =>
  runCommand('import', folder, '--data', dataFolder, ...flags)

test('names refused files with their reason, in the report too, and sets the exit code', async () => {
  await writeTree(folder, { 'a.png': null, 'broken.png': 'no picture', 'notes.txt': 'passed over' })
  const report = join(folder, 'refused.jsonl')

  const { code, out } = await importFolder('--report', report)

  expect(code).toBe(1)
  expect(out).toMatch(/Imported +1 image\n.*there +0\n.*Refused +1\n.*broken\.png: Not an image/s)
  const [refusal] = (await readFile(report, 'utf8')).trim().split('\n')
  expect(JSON.parse(refusal ?? '')).toMatchObject({
    path: join(folder, 'broken.png'),
    code: 'not_an_image',
  })
}, 300_000)

test('lets a running server import, visible to all holders of its token', async () => {
  const server = await ServerProcess.start({ dataFolder, flags: ['--token', 'sesame'] })
  await writeTree(folder, { 'Cats/a.png': null, 'broken.png': 'no picture' })

  const refused = await importFolder()
  const { code, out } = await importFolder('--token', 'sesame', '--dry-run')
  const really = await importFolder('--token', 'sesame', '--boards', 'One board')

  expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('--token') })
  expect({ code, out }).toMatchObject({ code: 1, out: expect.stringContaining(server.url) })
  expect(out).toMatch(/Would be imported +1 image\n.*Refused +1\n/s)
  expect(really.out).toMatch(/Imported +1 image\n.*Refused +1\n/s)
  const headers = { authorization: 'Bearer sesame' }
  const boards = await fetch(`${server.url}/api/v1/boards/?all=true`, { headers })
  expect(await boards.json()).toMatchObject([{ board_name: 'One board', image_count: 1 }])
  await server.close()
}, 300_000)

test('writes a complete report of the refusals of a running server @long', async () => {
  const server = await ServerProcess.start({ dataFolder })
  const empty = Array.from({ length: 1_100 }, (_, at) => [`${at}.png`, ''])
  await writeTree(folder, Object.fromEntries(empty))
  const report = join(folder, 'refused.jsonl')

  const { out } = await importFolder('--report', report)

  expect(out).toMatch(/Refused +1,100\n/)
  const lines = (await readFile(report, 'utf8')).trim().split('\n')
  const paths = lines.map((line) => (JSON.parse(line) as ImportRefusal).path)
  expect(new Set(paths).size).toBe(1_100)
  await server.close()
}, 300_000)

test('stops on Ctrl+C and prints how to resume @long', async () => {
  await writeTree(folder, { 'a.png': null })
  const { child, ended } = startCommand('import', folder, '--data', dataFolder, '--watch')
  let said = ''
  child.stdout?.on('data', (chunk) => {
    said += chunk
  })
  await expect.poll(() => said, { timeout: 200_000 }).toContain('Importing')

  child.kill('SIGINT')

  const { code, out } = await ended
  // The import may already have finished, so that the command only watched.
  expect(code === 130 ? out : 'Stopped.').toContain('Stopped.')
  expect(out).toMatch(/Imported +[01] images?\n/)
  const again = await importFolder()
  expect(again.code).toBe(0)
  expect(again.out).toMatch(/Imported +[01] images?\n {2}Already there +[01]\n/)
}, 300_000)

test('offers to resume a killed import until its folder has been imported @long', async () => {
  await writeTree(folder, { 'a.png': null })
  const { child, ended } = startCommand('import', folder, '--data', dataFolder, '--watch')
  let said = ''
  child.stdout?.on('data', (chunk) => {
    said += chunk
  })
  await expect.poll(() => said, { timeout: 200_000 }).toContain('Importing')
  child.kill('SIGKILL')
  await ended
  const server = await ServerProcess.start({ dataFolder })
  const statesNow = async () => {
    const imports = await (await fetch(`${server.url}/api/v1/imports`)).json()
    return (imports as Import[]).map(({ state, watch }) => [state, watch])
  }

  const cutOff = await statesNow()
  await importFolder()

  expect(cutOff).toEqual([['interrupted', true]])
  expect(await statesNow()).toEqual([['completed', false]])
  await server.close()
}, 300_000)

test('reports in one line that the server died during the import @long', async () => {
  const server = await ServerProcess.start({ dataFolder })
  const { child, ended } = startCommand('import', folder, '--data', dataFolder, '--watch')
  let said = ''
  child.stdout?.on('data', (chunk) => {
    said += chunk
  })
  await expect.poll(() => said, { timeout: 200_000 }).toContain(server.url)

  await server.kill()

  const err = `tessera: The running Tessera does not answer at ${server.url}. Run this again.\n`
  expect(await ended).toMatchObject({ code: 1, err })
}, 300_000)
