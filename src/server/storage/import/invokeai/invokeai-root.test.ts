import { mkdir, rename, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { makeInvokeaiRoot } from '#testing/library/make-invokeai-root.ts'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'
import { findInvokeaiRoot, looksLikeInvokeaiRoot } from './invokeai-root.ts'

const makeRoot = async () => {
  const root = await makeInvokeaiRoot('6.14')
  onTestFinished(() => root.remove())
  return root
}

const makeFolder = async () => {
  const folder = await createTemporaryFolder()
  onTestFinished(() => removeFolder(folder))
  return folder
}

afterEach(() => vi.unstubAllEnvs())

test.each([
  ['', true],
  ['databases', true],
  ['outputs', true],
  ['outputs/images', true],
  ['outputs/images/thumbnails', false],
  ['..', false],
  ['nowhere', false],
])('the folder %j of a root belongs to it: %s', async (below, isOne) => {
  const root = await makeRoot()

  expect(await looksLikeInvokeaiRoot(join(root.folder, below))).toBe(isOne)
  if (isOne) expect((await findInvokeaiRoot(join(root.folder, below)))?.folder).toBe(root.folder)
})

test('a root whose folders were moved within it is found by each of them', async () => {
  const { folder } = await makeRoot()
  await mkdir(join(folder, 'data'))
  await rename(join(folder, 'databases'), join(folder, 'data/db'))
  await rename(join(folder, 'outputs'), join(folder, 'data/out'))
  await writeFile(join(folder, 'invokeai.yaml'), 'db_dir: data/db\noutputs_dir: data/out\n')

  for (const below of ['', 'data/db', 'data/out', 'data/out/images']) {
    expect(await findInvokeaiRoot(join(folder, below))).toEqual({
      folder,
      databasePath: join(folder, 'data/db/invokeai.db'),
      outputsFolder: join(folder, 'data/out'),
      imagesFolder: join(folder, 'data/out/images'),
    })
  }
  expect(await findInvokeaiRoot(join(folder, 'data'))).toBeNull()
})

test('outputs on another disk lead to the root where InvokeAI itself would look for it', async () => {
  const { folder } = await makeRoot()
  const elsewhere = join(await makeFolder(), 'out')
  await rename(join(folder, 'outputs'), elsewhere)
  await writeFile(join(folder, 'invokeai.yaml'), `outputs_dir: ${elsewhere}\n`)

  expect((await findInvokeaiRoot(folder))?.imagesFolder).toBe(join(elsewhere, 'images'))
  expect(await findInvokeaiRoot(join(elsewhere, 'images'))).toBeNull()
  vi.stubEnv('INVOKEAI_ROOT', folder)
  expect((await findInvokeaiRoot(join(elsewhere, 'images')))?.folder).toBe(folder)
  expect(await findInvokeaiRoot(await makeFolder())).toBeNull()
})

test('where invokeai.yaml names what is not there, the usual folders count', async () => {
  const { folder } = await makeRoot()
  await writeFile(join(folder, 'invokeai.yaml'), 'InvokeAI:\n  Paths:\n    outdir: /gone/outputs\n')

  expect((await findInvokeaiRoot(folder))?.imagesFolder).toBe(join(folder, 'outputs/images'))
  await rename(join(folder, 'outputs'), join(folder, 'other'))
  expect(await findInvokeaiRoot(folder)).toBeNull()
})

test('a folder that a link took elsewhere still belongs to the root where the link stands', async () => {
  const { folder } = await makeRoot()
  const elsewhere = join(await makeFolder(), 'out')
  await rename(join(folder, 'outputs'), elsewhere)
  await symlink(elsewhere, join(folder, 'outputs'))

  expect(await findInvokeaiRoot(folder)).toMatchObject({ outputsFolder: elsewhere })
  expect((await findInvokeaiRoot(join(folder, 'outputs')))?.folder).toBe(folder)
})
