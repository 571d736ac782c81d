import { mkdir, rename, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { makeInvokeaiRoot } from '#testing/library/make-invokeai-root.ts'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'
import { findInvokeaiRoot } from './invokeai-root.ts'

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
])('detects whether the folder %j belongs to a root: %s', async (below, isOne) => {
  const root = await makeRoot()

  const found = await findInvokeaiRoot(join(root.folder, below))

  expect(found?.folder).toBe(isOne ? root.folder : undefined)
})

test('finds a root by each of its moved folders', async () => {
  const { folder } = await makeRoot()
  await mkdir(join(folder, 'data'))
  await rename(join(folder, 'databases'), join(folder, 'data/db'))
  await rename(join(folder, 'outputs'), join(folder, 'data/out'))
  await writeFile(join(folder, 'invokeai.yaml'), 'db_dir: data/db\noutputs_dir: data/out\n')

  for (const below of ['', 'data/db', 'data/out', 'data/out/images', 'data/out/videos']) {
    expect(await findInvokeaiRoot(join(folder, below))).toEqual({
      folder,
      databasePath: join(folder, 'data/db/invokeai.db'),
      outputsFolder: join(folder, 'data/out'),
      imagesFolder: join(folder, 'data/out/images'),
      videosFolder: join(folder, 'data/out/videos'),
    })
  }
  expect(await findInvokeaiRoot(join(folder, 'data'))).toBeNull()
})

test('finds the root of outputs on another disk in the usual places', async () => {
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

test('uses the default folders if invokeai.yaml names missing ones', async () => {
  const { folder } = await makeRoot()
  await writeFile(join(folder, 'invokeai.yaml'), 'InvokeAI:\n  Paths:\n    outdir: /gone/outputs\n')

  expect((await findInvokeaiRoot(folder))?.imagesFolder).toBe(join(folder, 'outputs/images'))
  await rename(join(folder, 'outputs'), join(folder, 'other'))
  expect(await findInvokeaiRoot(folder)).toBeNull()
})

test('finds the root of a symbolic link by the path of the link', async () => {
  const { folder } = await makeRoot()
  const elsewhere = join(await makeFolder(), 'out')
  await rename(join(folder, 'outputs'), elsewhere)
  await symlink(elsewhere, join(folder, 'outputs'))

  expect(await findInvokeaiRoot(folder)).toMatchObject({ outputsFolder: elsewhere })
  expect((await findInvokeaiRoot(join(folder, 'outputs')))?.folder).toBe(folder)
})
