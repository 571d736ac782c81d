import { expect, test } from 'vitest'
import type { ImportRequest } from '#contract/import.ts'
import { importToEnd, openImports, openTree } from '#testing/library/open-imports.ts'
import { type Library, openLibrary } from '#testing/library/open-library.ts'

const three = { 'a.png': null, 'b.png': null, 'x/c.png': null }

/** Starts an import that is interrupted before its first file. */
const cutOff = async (library: Library, request: ImportRequest) => {
  const imports = openImports(library)
  const { import_id } = await imports.start(request)
  imports.pause(import_id)
  await expect.poll(() => imports.get(import_id).is_counted, { timeout: 50_000 }).toBe(true)
  await imports.close()
  return import_id
}

/** Opens the imports like the next run of the program. */
const openAgain = async (library: Library) => {
  const imports = openImports(library)
  await imports.recover()
  return imports
}

test('lists an interrupted import with all its options', async () => {
  const library = await openLibrary()
  const folder = await openTree(three)
  const asked = { folder, boards: 'one', board_name: 'Old', link: true, watch: true } as const

  const import_id = await cutOff(library, asked)

  const listed = {
    ...asked,
    import_id,
    state: 'interrupted',
    found: 3,
    taken_in: 0,
    ended_at: null,
  }
  const imports = await openAgain(library)
  expect(imports.list()).toMatchObject([listed])
  expect(imports.get(import_id)).toMatchObject(listed)
  expect([imports.pause(import_id), imports.resume(import_id)]).toMatchObject([listed, listed])
})

test('replaces it with an import of the same folder', async () => {
  const library = await openLibrary()
  const folder = await openTree(three)
  await cutOff(library, { folder, watch: true })
  const imports = await openAgain(library)

  const looked = await importToEnd(imports, { folder, dry_run: true })
  expect(imports.list().map(({ state }) => state)).toEqual(['completed', 'interrupted'])
  const done = await importToEnd(imports, { folder })

  expect(imports.list()).toMatchObject([{ state: 'completed', taken_in: 3 }, looked])
  expect(imports.get(done.import_id).state).toBe('completed')
  expect((await openAgain(library)).list()).toEqual([])
})

test('removes a dismissed import for good and keeps the others', async () => {
  const library = await openLibrary()
  const older = await cutOff(library, { folder: await openTree(three) })
  const newer = await cutOff(library, { folder: await openTree(three) })
  const imports = await openAgain(library)
  expect(imports.list().map(({ import_id }) => import_id)).toEqual([newer, older])

  expect(await imports.cancel(newer)).toMatchObject({ import_id: newer, state: 'canceled' })

  expect(() => imports.get(newer)).toThrow(expect.objectContaining({ code: 'import_not_found' }))
  const again = await openAgain(library)
  expect([imports, again].map((one) => one.list())).toMatchObject([
    [{ import_id: older }],
    [{ import_id: older }],
  ])
})

test('does not list completed, canceled and dry-run imports', async () => {
  const library = await openLibrary()
  const imports = openImports(library)
  await importToEnd(imports, { folder: await openTree(three) })
  const canceled = await imports.start({ folder: await openTree(three) })
  imports.pause(canceled.import_id)
  await imports.cancel(canceled.import_id)
  const looking = await imports.start({ folder: await openTree(three), dry_run: true })
  imports.pause(looking.import_id)
  await imports.close()

  expect((await openAgain(library)).list()).toEqual([])
})

test('does not start an import that cannot be recorded @long', async () => {
  const library = await openLibrary()
  const folder = await openTree(three)
  const add = async () => Promise.reject(new Error('no room'))
  const activeImports = { ...library.activeImports, add }
  const imports = openImports(library, { activeImports, onFailure: () => {} })

  await expect(imports.start({ folder })).rejects.toThrow('no room')

  expect(imports.list()).toEqual([])
  expect(await importToEnd(openImports(library), { folder })).toMatchObject({ taken_in: 3 })
})
