import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { buildPage, pageFolder } from '#build/build-page.ts'
import { projectRoot } from '#build/project-root.ts'

const filesIn = async (folder: string) => {
  const names = await readdir(folder, { recursive: true })
  const code = names.filter((name) => /\.[jt]sx?$/.test(name) && !name.includes('.test.'))
  return Promise.all(code.map((name) => readFile(join(folder, name), 'utf8')))
}

test('imports TypeBox in client and gallery only through the contract', async () => {
  const layers = ['src/client', 'src/gallery'].map((layer) => filesIn(join(projectRoot, layer)))
  const files = (await Promise.all(layers)).flat()

  expect(files.filter((text) => /from 'typebox/.test(text))).toEqual([])
})

test('excludes TypeBox from the built page', async () => {
  await buildPage()

  const files = await filesIn(pageFolder)
  expect(files.some((text) => text.includes('/api/v1/boards/'))).toBe(true)
  expect(files.filter((text) => text.includes('~kind'))).toEqual([])
}, 120_000)
