import { symlinkSync } from 'node:fs'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { SourceEntry, SourceFault } from '#server/core/imports/import-ports.ts'
import { collect } from '#testing/collect.ts'
import { drawFile } from '#testing/library/draw-file.ts'
import { type InvokeaiVersion, makeInvokeaiRoot } from '#testing/library/make-invokeai-root.ts'
import { findInvokeaiRoot } from './invokeai-root.ts'
import { openInvokeaiSource } from './open-invokeai-source.ts'

const drawn = async (name: string) => (await drawFile(name)).bytes()

const makeRoot = async (...args: Parameters<typeof makeInvokeaiRoot>) => {
  const root = await makeInvokeaiRoot(...args)
  onTestFinished(() => root.remove())
  return root
}

const openRoot = async (folder: string) => {
  const root = await findInvokeaiRoot(folder)
  if (root === null) throw new Error(`${folder} is no folder of an InvokeAI`)
  return openInvokeaiSource(root)
}

const openSource = async (folder: string) => {
  const source = await openRoot(folder)
  onTestFinished(() => source.close())
  return source
}

const { signal } = new AbortController()

const allOf = async (folder: string) => {
  const source = await openSource(folder)
  const all = await collect(source.entries(signal))
  const entries = all.filter((one): one is SourceEntry => 'bytes' in one)
  const faults = all.filter((one): one is SourceFault => 'reason' in one)
  return { entries, faults, boards: await collect(source.boards()) }
}

test.each<InvokeaiVersion>(['3.4', '6.14'])(
  'imports board, star, category, date and metadata from InvokeAI %s',
  async (version) => {
    const root = await makeRoot(version)
    const bytes = await drawn('cat.png')
    root.addBoard({ board_id: 'b', board_name: 'Cats/Big', created_at: '2024-01-02 03:04:05.006' })
    root.addImage(
      {
        image_name: 'cat.png',
        image_category: 'control',
        session_id: 'run',
        node_id: 'node',
        metadata: '{"seed":18446744073709551615}',
        starred: 1,
        created_at: '2025-06-07 08:09:10.123',
      },
      bytes,
      'b',
    )

    const { entries, faults, boards } = await allOf(root.folder)

    expect(faults).toEqual([])
    expect(boards).toMatchObject([
      { boardName: 'Cats/Big', createdAt: Date.UTC(2024, 0, 2, 3, 4, 5, 6), visibility: 'shared' },
    ])
    expect(entries).toEqual([
      {
        path: join(root.folder, 'outputs/images/cat.png'),
        relativePath: 'outputs/images/cat.png',
        bytes: bytes.length,
        modifiedAt: expect.any(Number),
        boardName: 'Cats/Big',
        boardKey: 'b',
        record: {
          identity: 'cat.png',
          imageName: 'cat.png',
          fileName: 'cat.png',
          category: 'control',
          origin: 'internal',
          isIntermediate: false,
          starred: true,
          createdAt: Date.UTC(2025, 5, 7, 8, 9, 10, 123),
          takenAt: null,
          sessionId: 'run',
          nodeId: 'node',
          metadata: '{"seed":18446744073709551615}',
          workflow: null,
          graph: null,
        },
      },
    ])
  },
)

test('leaves out intermediate and deleted images together with their files', async () => {
  const root = await makeRoot('6.14')
  const bytes = await drawn('cat.png')
  root.addImage({ image_name: 'a.png' }, bytes)
  root.addImage({ image_name: 'step.png', is_intermediate: 1 }, bytes)
  root.addImage({ image_name: 'gone.png', deleted_at: '2025-01-01 00:00:00.000' }, bytes)
  root.addFile('thumbnails/a.webp', bytes)

  const { entries, faults } = await allOf(root.folder)

  expect(entries.map(({ relativePath }) => relativePath)).toEqual(['outputs/images/a.png'])
  expect(faults).toEqual([])
})

test('imports files without a record, also in subfolders, without a board', async () => {
  const root = await makeRoot('6.14')
  const bytes = await drawn('cat.png')
  root.addImage({ image_name: 'a.png', image_subfolder: '2026/03' }, bytes)
  root.addFile('a.png', bytes)
  root.addFile('2026/stray.png', bytes)
  root.addFile('2026/notes.txt', bytes)

  const { entries } = await allOf(root.folder)

  expect(entries.map((entry) => [entry.relativePath, entry.record?.identity])).toEqual([
    ['outputs/images/2026/03/a.png', 'a.png'],
    ['outputs/images/a.png', undefined],
    ['outputs/images/2026/stray.png', undefined],
  ])
})

test('reports a record whose file is missing, and imports the rest', async () => {
  const root = await makeRoot('6.14')
  root.addImage({ image_name: 'gone.png' }, null)
  root.addImage({ image_name: 'here.png' }, await drawn('cat.png'))

  const { entries, faults } = await allOf(root.folder)

  expect(entries).toHaveLength(1)
  expect(faults).toEqual([
    {
      path: join(root.folder, 'outputs/images/gone.png'),
      reason: 'InvokeAI has a record of this image, and the file is gone.',
    },
  ])
})

test.each([
  ['../../databases/invokeai.db', ''],
  ['/etc/hostname', ''],
  ['..', ''],
  ['a\\b.png', ''],
  ['', ''],
  ['hostname', '/etc'],
  ['x.png', '../thumbnails'],
  ['x.png', 'a/../../..'],
])('refuses the name %j in %j', async (image_name, image_subfolder) => {
  const root = await makeRoot('6.14')
  root.addImage({ image_name, image_subfolder }, null)

  const { entries, faults } = await allOf(root.folder)

  expect(entries).toEqual([])
  expect(faults).toMatchObject([{ reason: expect.stringContaining('outside its folder') }])
})

test('does not follow a link out of the folder', async () => {
  const root = await makeRoot('6.14')
  root.addImage({ image_name: 'link.png' }, null)
  symlinkSync('/etc/hostname', join(root.folder, 'outputs/images/link.png'))

  const { entries, faults } = await allOf(root.folder)

  expect(entries).toEqual([])
  expect(faults).toMatchObject([{ reason: expect.stringContaining('leads out') }])
})

test('ignores values of the wrong type', async () => {
  const root = await makeRoot('6.14')
  root.addImage(
    { image_name: 'a.png', image_origin: '?', image_category: '?', created_at: 'soon' },
    await drawn('cat.png'),
  )

  const { entries } = await allOf(root.folder)

  expect(entries).toMatchObject([{ record: { category: 'other', origin: 'external' } }])
  expect(entries[0]?.record?.createdAt).toBe(Math.round(entries[0]?.modifiedAt ?? 0))
})

test('reads a large library in pages, oldest first, each image once', async () => {
  const root = await makeRoot('6.14')
  const bytes = await drawn('cat.png')
  // Many images with the same time, so that a page ends among them.
  const names = Array.from({ length: 450 }, (_, at) => `${String(at).padStart(3, '0')}.png`)
  for (const image_name of names.toReversed())
    root.addImage({ image_name, created_at: '2025-01-01 00:00:00.000' }, bytes)
  root.addImage({ image_name: 'first.png', created_at: '2024-01-01 00:00:00.000' }, bytes)

  const { entries } = await allOf(root.folder)

  expect(entries.map(({ record }) => record?.identity)).toEqual(['first.png', ...names])
})

test('lets InvokeAI write while its library is read', async () => {
  const root = await makeRoot('6.14')
  const bytes = await drawn('cat.png')
  for (let at = 0; at < 300; at++) root.addImage({ image_name: `${at}.png` }, bytes)
  root.database.pragma('busy_timeout = 0')
  const source = await openSource(root.folder)

  const seen: string[] = []
  for await (const entry of source.entries(signal)) {
    if ('bytes' in entry) seen.push(entry.record?.identity ?? '')
    if (seen.length === 1) root.addImage({ image_name: 'new.png' }, bytes)
    if (seen.length === 100) root.database.pragma('wal_checkpoint(TRUNCATE)')
  }

  expect(new Set(seen).size).toBe(301)
  expect(seen).toContain('new.png')
})

test.each(['WAL', 'DELETE'] as const)(
  'leaves the files of an unused library (%s) unchanged',
  async (journalMode) => {
    const root = await makeRoot('6.14', { journalMode })
    root.addImage({ image_name: 'a.png' }, await drawn('cat.png'))
    root.database.close()
    const folder = join(root.folder, 'databases')
    const path = join(folder, 'invokeai.db')
    const before = { bytes: await readFile(path), mtime: (await stat(path)).mtimeMs }

    const source = await openRoot(root.folder)
    expect(await collect(source.entries(signal))).toHaveLength(1)
    expect(await readdir(folder)).toEqual(['invokeai.db'])
    await source.close()

    expect(await readdir(folder)).toEqual(['invokeai.db'])
    expect({ bytes: await readFile(path), mtime: (await stat(path)).mtimeMs }).toEqual(before)
  },
)

test('reads the write-ahead log that a crash left', async () => {
  const root = await makeRoot('6.14')
  root.addImage({ image_name: 'a.png' }, await drawn('cat.png'))
  const crashed = await makeRoot('6.14', { journalMode: 'DELETE' })
  for (const log of ['', '-wal']) {
    const bytes = await readFile(join(root.folder, `databases/invokeai.db${log}`))
    await writeFile(join(crashed.folder, `databases/invokeai.db${log}`), bytes)
  }
  crashed.addFile('a.png', await drawn('cat.png'))

  const { entries } = await allOf(crashed.folder)

  expect(entries).toMatchObject([{ record: { identity: 'a.png' } }])
})

test('rolls back a half-written transaction without changing the database', async () => {
  const root = await makeRoot('6.14', { journalMode: 'DELETE' })
  const crashed = await makeRoot('6.14', { journalMode: 'DELETE' })
  crashed.database.close()
  for (let at = 0; at < 200; at++) {
    root.addImage({ image_name: `${at}.png`, metadata: JSON.stringify('x'.repeat(2000)) }, null)
  }
  crashed.addFile('7.png', await drawn('cat.png'))
  root.database.pragma('cache_size = 1')
  root.database.exec(`BEGIN; UPDATE images SET starred = 1, metadata = metadata || 'y'`)
  const path = (folder: string, log: string) => join(folder, `databases/invokeai.db${log}`)
  for (const log of ['', '-journal'])
    await writeFile(path(crashed.folder, log), await readFile(path(root.folder, log)))
  root.database.exec('ROLLBACK')
  const before = await readFile(path(crashed.folder, ''))

  const { entries } = await allOf(crashed.folder)

  expect(entries).toMatchObject([{ record: { identity: '7.png', starred: false } }])
  expect(await readFile(path(crashed.folder, ''))).toEqual(before)
})

test.each([
  ['no database', Buffer.from('these are no tables')],
  ['an empty one', Buffer.alloc(0)],
])('refuses %s instead of the database with a clear message', async (_, bytes) => {
  const root = await makeRoot('6.14')
  root.database.close()
  await writeFile(join(root.folder, 'databases/invokeai.db'), bytes)

  await expect(openRoot(root.folder)).rejects.toMatchObject({
    code: 'folder_unreadable',
    message: expect.stringMatching(/invokeai\.db (?:is damaged|does not have the tables)/),
  })
})

test('refuses a database that another program has locked @long', {
  timeout: 30_000,
}, async () => {
  const root = await makeRoot('6.14', { journalMode: 'DELETE' })
  root.database.exec('BEGIN EXCLUSIVE')

  await expect(openRoot(root.folder)).rejects.toMatchObject({
    code: 'folder_unreadable',
    message: expect.stringContaining('is locked by another program'),
  })
})

test('makes boards private only if several users share the InvokeAI', async () => {
  const root = await makeRoot('6.14')
  root.addBoard({ board_id: 'a', board_name: 'Mine', user_id: 'ada', archived: 1 })
  root.addBoard({ board_id: 'b', board_name: 'Ours', board_visibility: 'shared' })
  root.addBoard({ board_id: 'c', board_name: 'Gone', deleted_at: '2025-01-01 00:00:00.000' })

  const { boards } = await allOf(root.folder)

  expect(boards).toMatchObject([
    { boardName: 'Mine', visibility: 'private', archived: true },
    { boardName: 'Ours', visibility: 'shared', archived: false },
  ])
})
