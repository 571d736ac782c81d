import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'
import { listFolders } from './folder-listing.ts'

let root: string
beforeAll(async () => {
  root = await createTemporaryFolder()
  for (const name of ['shot 10', 'shot 2', '猫', '.hidden']) await mkdir(join(root, name))
  for (const name of ['a.PNG', 'b.jpeg', 'c.MKV', 'notes.txt', '.d.png', 'e.webp.part']) {
    await writeFile(join(root, 'shot 2', name), '')
  }
  await mkdir(join(root, 'shot 2', 'folder.png'))
  await writeFile(join(root, 'here.gif'), '')
  await symlink('shot 2', join(root, 'shot 3'))
  await symlink('nowhere', join(root, 'shot 4'))
  await symlink('here.gif', join(root, 'shot 5'))
})
afterAll(() => removeFolder(root))

test('lists a folder, its parents and its subfolders in natural order', async () => {
  const { path, parents, image_count, video_count, folders, left_out } = await listFolders(root)

  expect([path, image_count, video_count, left_out]).toEqual([root, 1, 0, 0])
  expect(join(...parents.map(({ name }) => name))).toBe(join(root, '..'))
  expect(
    folders.map(({ name, ...counts }) => [name, counts.image_count, counts.video_count]),
  ).toEqual([
    ['shot 2', 2, 1],
    ['shot 3', 2, 1],
    ['shot 10', 0, 0],
    ['猫', 0, 0],
  ])
  expect(folders[0]).toMatchObject({ path: join(root, 'shot 2'), is_readable: true })
})

test('starts at the home folder and expands `~`', async () => {
  expect((await listFolders(null)).path).toBe(homedir())
  expect((await listFolders('~/')).path).toBe(homedir())
})

test.each([
  ['pictures', '“pictures” is not a whole path, from the root on.'],
  ['/no/such/folder', 'There is no folder “/no/such/folder” on this machine.'],
  [`/${'x'.repeat(5000)}`, /^There is no folder/],
])('refuses %.20s as a folder', async (path, message) => {
  await expect(listFolders(path)).rejects.toMatchObject({
    code: 'folder_not_found',
    message: expect.stringMatching(message),
  })
})

test('refuses a file', async () => {
  await expect(listFolders(join(root, 'here.gif'))).rejects.toMatchObject({
    code: 'folder_not_found',
    message: expect.stringContaining('is a file, not a folder'),
  })
})

// Root may read everything, so there is nothing to refuse.
test('reports an unreadable folder in the list and when it is opened', async () => {
  const locked = join(root, 'locked')
  await mkdir(locked, { mode: 0 })
  try {
    const isRoot = process.getuid?.() === 0
    const { folders } = await listFolders(root)
    expect(folders.find(({ name }) => name === 'locked')).toMatchObject({ is_readable: isRoot })
    if (!isRoot) {
      await expect(listFolders(locked)).rejects.toMatchObject({ code: 'folder_unreadable' })
    }
  } finally {
    await chmod(locked, 0o700)
  }
})
