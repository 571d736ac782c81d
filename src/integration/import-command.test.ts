import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { runCommand } from '#testing/run-command.ts'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'
import { writeTree } from '#testing/write-tree.ts'

let folder: string
let dataFolder: string
beforeEach(async () => {
  folder = await createTemporaryFolder()
  dataFolder = join(folder, '.library')
})
afterEach(() => removeFolder(folder))

const importFolder = (...flags: string[]) =>
  runCommand('import', folder, '--data', dataFolder, ...flags)

test('what is refused is named with its reason, in the report too, and the exit code says so', async () => {
  await writeTree(folder, { 'a.png': null, 'broken.png': 'no picture', 'notes.txt': 'passed over' })
  const report = join(folder, 'refused.jsonl')

  const { code, out } = await importFolder('--report', report)

  expect(code).toBe(1)
  expect(out).toMatch(/Taken in +1\n.*already +0\n.*Refused +1\n.*broken\.png: Not an image/s)
  const [refusal] = (await readFile(report, 'utf8')).trim().split('\n')
  expect(JSON.parse(refusal ?? '')).toMatchObject({
    path: join(folder, 'broken.png'),
    code: 'not_an_image',
  })
}, 60_000)

test.each([
  [[], 2, /folder/],
  [['/no/such/folder'], 2, /There is no folder \/no\/such\/folder/],
  [['.', '--boards', 'A', '--board', 'B'], 2, /exclude each other/],
  [['.', '--nonsense'], 2, /unknown option '--nonsense'/],
])(
  'wrong use is one line: %j',
  async (args, expected, said) => {
    const { code, out, err } = await runCommand('import', ...args, '--data', dataFolder)

    expect({ code, out }).toEqual({ code: expected, out: '' })
    expect(err).toMatch(/^tessera: [^\n]+\n$/)
    expect(err).toMatch(said)
  },
  60_000,
)
