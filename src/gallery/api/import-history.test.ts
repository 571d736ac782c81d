import { beforeEach, expect, test, vi } from 'vitest'
import { ConnectionError, type Import } from '#client/index.ts'
import { ImportHistory } from './import-history.ts'

const added = [
  { image_name: 'a.png', board_id: null },
  { image_name: 'b.png', board_id: 'trip' },
]

/** The page before or after a reload. */
function openPage(pages: (offset: number) => typeof added = (offset) => added.slice(offset)) {
  const journal = { add: vi.fn(() => 'entry'), confirm: vi.fn() }
  const images = async (_: string, { offset = 0 } = {}) => ({
    limit: 2,
    offset,
    items: pages(offset),
    total: 2,
  })
  const client = { imports: { added: images } }
  const history = new ImportHistory({ client, journal })
  return { history, journal }
}

const imported = (state: Import['state'], taken_in = 2) =>
  [{ import_id: 'one', state, taken_in }] as unknown as Import[]

beforeEach(() => {
  const stored = new Map<string, string>()
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  })
})

test('adds an import when it has ended, also after a reload, and only once', async () => {
  const before = openPage()
  before.history.remember('one')
  await before.history.addEnded(imported('running'))
  expect(before.journal.add).not.toHaveBeenCalled()

  const { history, journal } = openPage((offset) => added.slice(offset, offset + 1))
  await history.addEnded(imported('completed'))
  await history.addEnded(imported('completed'))

  expect(journal.add).toHaveBeenCalledOnce()
  expect(journal.add).toHaveBeenCalledWith(
    {
      action: { kind: 'import', count: 2, noun: 'image', boardName: '' },
      thumbnails: ['a.png', 'b.png'],
      recipe: {
        kind: 'work',
        batchIds: [],
        itemIds: [],
        made: ['a.png', 'b.png'],
        boards: [
          ['none', ['a.png']],
          ['trip', ['b.png']],
        ],
      },
    },
    null,
  )
})

test('tries again when the server does not answer', async () => {
  let isAway = true
  const { history, journal } = openPage((offset) => {
    if (isAway) throw new ConnectionError('No answer.')
    return added.slice(offset)
  })
  history.remember('one')
  await history.addEnded(imported('canceled'))

  isAway = false
  await history.addEnded(imported('canceled'))

  expect(journal.add).toHaveBeenCalledOnce()
})

test('adds no import of another tab, and none whose images the server knows in part', async () => {
  const { history, journal } = openPage()
  await history.addEnded(imported('completed'))
  history.remember('one')
  await history.addEnded(imported('completed', 3))

  expect(journal.add).not.toHaveBeenCalled()
})
