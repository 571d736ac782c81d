import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'
import { readMovedFolders } from './moved-folders.ts'

const nowhere = { databases: null, outputs: null }

const foldersIn = async (yaml: string | null) => {
  const root = await createTemporaryFolder()
  onTestFinished(() => removeFolder(root))
  if (yaml !== null) await writeFile(join(root, 'invokeai.yaml'), yaml)
  const { databases, outputs } = await readMovedFolders(root)
  const below = (path: string | null) => path?.replace(root, 'ROOT') ?? null
  return { databases: below(databases), outputs: below(outputs) }
}

test.each([
  ['no file', null, nowhere],
  ['an empty file', '', nowhere],
  ['settings without folders', 'schema_version: 4.0.2\nport: 9090\n', nowhere],
  [
    'relative paths',
    'db_dir: ./a/../db\noutputs_dir: my pictures # mine\n',
    { databases: 'ROOT/db', outputs: 'ROOT/my pictures' },
  ],
  ['an absolute path', 'outputs_dir: "/mnt/big/out"', { ...nowhere, outputs: '/mnt/big/out' }],
  [
    'a file of 3.x',
    'InvokeAI:\n  Web Server:\n    port: 1\n  Paths:\n    db_dir: db\n    outdir: /mnt/out\n',
    { databases: 'ROOT/db', outputs: '/mnt/out' },
  ],
  ['a duplicate key', 'db_dir: a\ndb_dir: b\n', { ...nowhere, databases: 'ROOT/b' }],
])('reads the folders of the library from %s', async (_, yaml, expected) => {
  expect(await foldersIn(yaml)).toEqual(expected)
})

test.each([
  ['invalid YAML', 'db_dir: [1, 2\n  : }'],
  ['two documents', 'db_dir: a\n---\ndb_dir: b\n---\n- {'],
  ['a list', '- db_dir: a\n'],
  ['text', 'db_dir'],
  ['other types', 'db_dir: 7\noutputs_dir: [a, b]\n'],
  ['null and an empty text', 'db_dir: null\noutputs_dir: ""\n'],
  ['no headings', 'InvokeAI: 3\n'],
  ['headings of other types', 'InvokeAI:\n  Paths: here\n  Web Server: null\n'],
  ['aliases that expand exponentially', 'a: &a [x, x]\nb: &b [*a, *a]\ndb_dir: *b\n'],
  ['tags', 'db_dir: !!python/object/apply:os.system [ls]\n'],
  ['a file nested too deeply', `db_dir: ${'['.repeat(20_000)}`],
  ['a file that is too large', `db_dir: a\n${'# so on\n'.repeat(10_000)}`],
  ['an image', 'PNG\u0000\u0001\u0002\ufffd'],
])('ignores %s', async (_, yaml) => {
  expect(await foldersIn(yaml)).toEqual(nowhere)
})
