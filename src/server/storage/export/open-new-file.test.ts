import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'
import { openNewFile } from './open-new-file.ts'

const emptyFolder = async () => {
  const folder = await createTemporaryFolder()
  onTestFinished(() => removeFolder(folder))
  return folder
}

test('writes two files of one name apart, and keeps the first', async () => {
  const [folder, dataFolder] = [await emptyFolder(), await emptyFolder()]
  const path = join(folder, 'sheet.pdf')
  const first = await openNewFile(path, { dataFolder })
  const second = await openNewFile(path, { dataFolder })

  await first.write(['one', Buffer.from(' file')])
  await expect(second.write(['another'])).rejects.toThrow('already exists. Choose another name.')
  for (const file of [first, second]) await file.close()

  expect(await readFile(path, 'utf8')).toBe('one file')
  expect(await readdir(folder)).toEqual(['sheet.pdf'])
})

test('replaces no file that another program made meanwhile', async () => {
  const [folder, dataFolder] = [await emptyFolder(), await emptyFolder()]
  const path = join(folder, 'sheet.png')
  const file = await openNewFile(path, { dataFolder })
  await writeFile(path, 'mine')

  await expect(file.write(['sheet'])).rejects.toMatchObject({ name: 'TargetFolderError' })
  await file.close()

  expect(await readFile(path, 'utf8')).toBe('mine')
  expect(await readdir(folder)).toEqual(['sheet.png'])
})
