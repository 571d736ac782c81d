import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { GalleryInWindow } from '#integration/gallery-in-window.ts'

const startGallery = GalleryInWindow.reusingServer()
let gallery: GalleryInWindow

beforeEach(async () => {
  gallery = await startGallery()
  await gallery.api.createBoard('Portraits')
  await gallery.api.uploadImages(['a.png', 'b.png', 'c.png'])
  await gallery.open({ board: 'none' })
})

const panel = async () => within(await screen.findByRole('complementary', { name: 'History' }))

/** Returns the sentences of the list, newest first. */
const sentences = async () => {
  const list = within(await (await panel()).findByRole('list', { name: 'Actions' }))
  return list
    .getAllByRole('button')
    .filter((button) => button.hasAttribute('data-point'))
    .map((button) => button.textContent?.replaceAll(/[\u2068\u2069]/g, ''))
}

const choose = async (text: RegExp) =>
  gallery.user.click(await (await panel()).findByRole('button', { name: text }))

/** Stars, renames and deletes, one after the other. */
async function takeThreeActions() {
  await gallery.select('a.png')
  await gallery.user.keyboard('s')
  const board = (await gallery.page.client.boardOperations.list())[0]
  if (board) await gallery.page.outbox.renameBoard(board, 'Faces').outcome
  await gallery.deleteImage('c.png')
  await expect.poll(() => gallery.api.trashedNames()).toEqual(['c.png'])
}

test('explains itself before the first action, and takes and returns the focus', async () => {
  const button = screen.getByRole('button', { name: 'History' })
  await gallery.user.click(button)

  await (await panel()).findByText('Nothing to undo yet')
  expect(document.activeElement?.textContent).toBe('History')
  await gallery.user.keyboard('{Escape}')

  await waitFor(() => expect(screen.queryByRole('complementary', { name: 'History' })).toBeNull())
  expect(document.activeElement).toBe(button)
})

test('scrolls by key: the text before the first action, then the actions @long', async () => {
  await gallery.user.keyboard('h')
  const region = await (await panel()).findByRole('region', { name: 'Actions of this library' })
  expect(region.tabIndex).toBe(0)

  await gallery.select('a.png')
  await gallery.user.keyboard('s')

  await (await panel()).findByRole('button', { name: /^Starred/ })
  expect(region.tabIndex).toBe(-1)
})

test('lists actions in words, newest first, with time and images', async () => {
  await takeThreeActions()
  await gallery.user.keyboard('h')

  expect(await sentences()).toEqual([
    'Moved 1 image to the trashnow',
    'Renamed “Portraits” to “Faces”now',
    'Starred 1 imagenow',
    'Before these actions',
  ])
  const pictures = document.querySelectorAll('[aria-label=Actions] img')
  expect([...pictures].map((picture) => picture.getAttribute('src'))).toEqual([
    expect.stringContaining('thumbnail'),
    expect.stringContaining('thumbnail'),
  ])
})

test('goes back to a point after showing what that undoes, and forward again', async () => {
  await takeThreeActions()
  await gallery.user.keyboard('h')

  await choose(/^Starred/)
  await (await panel()).findByText('Undo 2 actions.')
  expect((await panel()).getAllByText('will be undone')).toHaveLength(2)
  await gallery.press('Go back to here')

  await expect.poll(() => gallery.api.trashedNames()).toEqual([])
  await gallery.board('Portraits')
  await gallery.toast('Undid 2 actions')
  expect((await gallery.api.imagesOn())[0]?.starred).toBe(true)
  await choose(/^Moved 1 image/)
  expect((await panel()).getAllByText('will be redone')).toHaveLength(2)
  await gallery.press('Redo up to here')

  await expect.poll(() => gallery.api.trashedNames()).toEqual(['c.png'])
  await gallery.board('Faces')
})

test('undoes everything from the start of the list @long', async () => {
  await takeThreeActions()
  await gallery.user.keyboard('h')

  await choose(/^Before these actions/)
  await gallery.press('Go back to here')

  await expect.poll(async () => (await gallery.api.imagesOn()).length).toBe(3)
  await expect.poll(async () => (await gallery.api.imagesOn())[0]?.starred).toBe(false)
  expect((await panel()).getByRole('button', { name: 'Undo' })).toHaveProperty('disabled', true)
})

test('moves through the list with the arrow keys as one tab stop @long', async () => {
  await takeThreeActions()
  await gallery.user.keyboard('h')
  await sentences()

  const tabStops = document.querySelectorAll('[aria-label=Actions] [data-point][tabindex="0"]')
  expect(tabStops).toHaveLength(1)
  ;(tabStops[0] as HTMLElement).focus()
  await gallery.user.keyboard('{ArrowDown}{ArrowDown}{Enter}')

  await (await panel()).findByText('Undo 2 actions.')
  await expect.poll(() => document.activeElement?.textContent).toContain('Starred 1 image')
  await gallery.user.keyboard('{End}')
  expect(document.activeElement?.textContent).toBe('Before these actions')
})

test('undoes and redoes with keys, but not while typing', async () => {
  await takeThreeActions()
  const { user } = gallery

  await user.keyboard('{Control>}z{/Control}')
  await expect.poll(() => gallery.api.trashedNames()).toEqual([])
  await user.keyboard('{Control>}{Shift>}z{/Shift}{/Control}')
  await expect.poll(() => gallery.api.trashedNames()).toEqual(['c.png'])
  await user.keyboard('{Control>}z{/Control}')
  await expect.poll(() => gallery.api.trashedNames()).toEqual([])
  await user.click(screen.getByLabelText('Search images'))
  await user.keyboard('{Control>}y{/Control}')
  expect(gallery.page.journal.getState().at(-1)?.state).toBe('undone')
  await user.click(await gallery.image('a.png'))
  await user.keyboard('{Control>}y{/Control}')

  await expect.poll(() => gallery.api.trashedNames()).toEqual(['c.png'])
})

test('reports a refused Undo, keeps it in the history, and Retry undoes it', async () => {
  await gallery.deleteImage('c.png')
  await expect.poll(() => gallery.api.trashedNames()).toEqual(['c.png'])
  await gallery.user.keyboard('h')
  const refuse = () => Response.json({ detail: 'The library is read-only.' }, { status: 403 })
  gallery.answer = ({ path }) => (path.includes('restore') ? refuse() : undefined)

  await gallery.user.keyboard('{Control>}z{/Control}')
  await gallery.toast(/^Couldn’t undo: moved 1 image/)
  await (await panel()).findByText('Couldn’t undo. The library is read-only.')
  gallery.answer = () => undefined
  await gallery.press('Retry')

  await expect.poll(() => gallery.api.trashedNames()).toEqual([])
})

test('skips images that somebody else moved, and says so', async () => {
  const other = await gallery.api.createBoard('Other')
  const [c, b] = await gallery.api.imagesOn()
  await gallery.page.outbox.move(
    [c?.image_name ?? '', b?.image_name ?? ''],
    (await gallery.page.client.boardOperations.list())[1]?.board_id ?? '',
  ).outcome
  await gallery.api.client.images.move([c?.image_name ?? ''], other.boardId)

  gallery.page.journal.undoLast()

  await gallery.toast('Undo skipped 1 of 2 images')
  await gallery.toast(/It was moved since\.$/)
  expect(await gallery.api.namesOn('Other')).toEqual(['c.png'])
  expect(await gallery.api.namesOn()).toEqual(['b.png', 'a.png'])
})

test('keeps a created board that has images @long', async () => {
  await gallery.press('New board')
  await gallery.user.keyboard('Castles{Enter}')
  await gallery.board('Castles')
  await expect.poll(() => gallery.api.boardNames()).toContain('Castles')
  await gallery.api.uploadImage('d.png', { board: 'Castles' })
  await waitFor(() => expect(gallery.page.journal.getState()).toHaveLength(1))

  gallery.page.journal.undoLast()

  await gallery.toast('Not undone: created “Castles”')
  await gallery.toast('It has new images or videos since.')
  expect(await gallery.api.boardNames()).toContain('Castles')
})
