import { link, mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { systemPath } from '#server/storage/disk/system-path.ts'
import { drawClip } from '#testing/library/draw-clip.ts'
import { openTree } from '#testing/library/open-imports.ts'
import { drawnBytes } from '#testing/library/write-tree.ts'
import { openFolderSource } from './open-folder-source.ts'

const { signal } = new AbortController()

/** Returns the entries of a source in order: paths, and faults as `path: reason`. */
const found = async (folder: string): Promise<string[]> => {
  const source = await openFolderSource(folder)
  const names: string[] = []
  for await (const entry of source.entries(signal)) {
    if ('reason' in entry) names.push(`${entry.path.slice(folder.length + 1)}: ${entry.reason}`)
    else names.push(entry.relativePath)
  }
  return names
}

test('detects images and videos by their extension, or without one by their content', async () => {
  const folder = await openTree({
    'a.PNG': 'x',
    'b.jpeg': 'x',
    'c.heic': 'refused later, with a reason',
    'd.txt': 'x',
    'e.mp4': 'x',
    'f.M4V': 'x',
    clip: await drawClip({ container: 'mkv' }),
    noname: await drawnBytes('noname.png'),
    readme: 'a text',
    '.hidden.png': 'x',
    '.cache/a.png': 'x',
    '@eaDir/a.png': 'x',
    '#recycle/a.png': 'x',
    '$RECYCLE.BIN/a.png': 'x',
    '.Trash-1000/a.png': 'x',
  })

  expect(await found(folder)).toEqual([
    'a.PNG',
    'b.jpeg',
    'c.heic',
    'clip',
    'e.mp4',
    'f.M4V',
    'noname',
  ])
})

test('counts the files that it leaves by extension', async () => {
  const folder = await openTree({
    'a.png': 'x',
    'b.AVI': 'x',
    'c/d.avi': 'x',
    'c/e.txt': 'x',
    'a.txt': 'read with a.png',
    'a.png.json': 'read with a.png',
    'a.b.json': 'x',
    [`c/f.${'x'.repeat(13)}`]: 'x',
    'c/g.a\u202eb': 'x',
    readme: 'a text',
    '@eaDir/f.avi': 'x',
  })
  const source = await openFolderSource(folder)
  const walked: unknown[] = []
  for await (const entry of source.entries(signal)) walked.push(entry)

  expect(walked).toHaveLength(1)
  expect(Object.fromEntries(source.leftFiles?.() ?? [])).toEqual({ avi: 2, txt: 1, json: 1, '': 3 })
})

test('sorts by bytes of the name, with files before folders', async () => {
  const folder = await openTree({
    'b/2.png': 'x',
    'b/10.png': 'x',
    'ä.png': 'x',
    'Z.png': 'x',
    'a.png': 'x',
    'b/a/c.png': 'x',
    '日本/猫.png': 'x',
  })

  const order = ['Z.png', 'a.png', 'ä.png', 'b/10.png', 'b/2.png', 'b/a/c.png', '日本/猫.png']
  expect(await found(folder)).toEqual(order)
  expect(await found(folder)).toEqual(order)
})

test.each([
  'Ünïcödé',
  '猫の写真',
  'صورة',
  'תמונה',
  'фото',
  '🐈‍⬛',
  'a\nb',
  ' space ',
  "it's",
  '%2e',
  'a\\b',
])('reads a folder and a file called %j', async (name) => {
  const folder = await openTree({ [`${name}/${name}.png`]: 'x' })

  expect(await found(folder)).toEqual([`${name}/${name}.png`])
})

test('opens a file whose name is not valid UTF-8', async () => {
  const folder = await openTree({})
  const name = Buffer.from([0x63, 0x61, 0x66, 0xe9, 0x2e, 0x70, 0x6e, 0x67]) // "café.png" in Latin-1
  await writeFile(Buffer.concat([Buffer.from(`${folder}/`), name]), 'x')
  const source = await openFolderSource(folder)

  for await (const entry of source.entries(signal)) {
    expect(entry.path.toWellFormed()).toBe(join(folder, 'caf\ufffd.png'))
    await expect(link(systemPath(entry.path), join(folder, 'linked.png'))).resolves.toBe(undefined)
  }
  expect(await found(folder)).toContain('linked.png')
})

test('follows links, and each folder of a cycle only once', async () => {
  const elsewhere = await openTree({ 'far.png': 'x' })
  const folder = await openTree({ 'a/b/c.png': 'x', 'near.png': 'x' })
  await symlink('..', join(folder, 'a/b/up'))
  await symlink('.', join(folder, 'a/self'))
  await symlink(join(folder, 'a/b'), join(folder, 'z'))
  await symlink(join(folder, 'near.png'), join(folder, 'to-near.png'))
  await symlink(join(elsewhere, 'far.png'), join(folder, 'to-far.png'))

  expect(await found(folder)).toEqual(['near.png', 'to-far.png', 'to-near.png', 'a/b/c.png'])
})

test('reports and skips a link to a folder outside the imported folder', async () => {
  const folder = await openTree({ 'near.png': 'x' })
  await symlink(await openTree({ 'far.png': 'x' }), join(folder, 'z'))
  await symlink('/', join(folder, 'zz'))

  const reason = 'It is a link to a folder outside the imported folder.'
  expect(await found(folder)).toEqual(['near.png', `z: ${reason}`, `zz: ${reason}`])
})

test('reports unreadable files with a reason and continues', async () => {
  const folder = await openTree({ 'b/gone.png': 'x', 'c/there.png': 'x', 'z.png': 'x' })
  await symlink('nowhere', join(folder, 'dead.png'))
  await symlink('round.png', join(folder, 'round.png'))
  const source = await openFolderSource(folder)
  const results: string[] = []

  for await (const entry of source.entries(signal)) {
    await rm(join(folder, 'b'), { recursive: true, force: true })
    results.push('reason' in entry ? entry.reason : entry.relativePath)
  }

  expect(results).toEqual([
    'It no longer exists.',
    'It is a link to itself.',
    'z.png',
    'It no longer exists.',
    'c/there.png',
  ])
})

test('yields a huge folder in order and can be stopped early', async () => {
  const folder = await openTree({})
  await mkdir(join(folder, 'many'))
  const names = Array.from({ length: 9_000 }, (_, at) => `${String((at * 7919) % 9_000)}.png`)
  for (let at = 0; at < names.length; at += 500) {
    await Promise.all(
      names.slice(at, at + 500).map((name) => writeFile(join(folder, 'many', name), '')),
    )
  }
  const source = await openFolderSource(folder)
  const stop = new AbortController()
  const read: string[] = []

  for await (const entry of source.entries(stop.signal)) {
    if ('relativePath' in entry) read.push(entry.relativePath)
    if (read.length === 5_000) stop.abort()
  }

  expect(read.length).toBeLessThan(6_000)
  expect(read).toEqual(
    names
      .map((name) => `many/${name}`)
      .sort()
      .slice(0, read.length),
  )
}, 120_000)
