import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import type { Board } from '#client/index.ts'
import { inOrder } from '#gallery/boards/order/board-order.ts'
import { GalleryInWindow } from '#integration/gallery-in-window.ts'

const startGallery = GalleryInWindow.reusingServer()
let gallery: GalleryInWindow
beforeEach(async () => {
  gallery = await startGallery()
})

const names = () =>
  within(gallery.sidebar.getByRole('list'))
    .getAllByRole('link')
    .map((link) => link.textContent)

const choose = async (role: 'menuitemradio' | 'menuitemcheckbox', name: string) => {
  await gallery.press('Sort boards')
  await gallery.user.click(await screen.findByRole(role, { name }))
  await gallery.user.keyboard('{Escape}')
}

test('sorts the board first to which an image was added last, also after a reload', async () => {
  for (const name of ['Castles', 'Cats', 'Dogs']) await gallery.api.createBoard(name)
  await gallery.api.uploadImages(['a.png'], { board: 'Castles' })
  await gallery.open()
  await gallery.board('Castles')
  expect(names()).toEqual(['Dogs', 'Cats', 'Castles'])

  await choose('menuitemradio', 'Last added')

  await waitFor(() => expect(names()).toEqual(['Castles', 'Cats', 'Dogs']))
  const [image] = await gallery.api.imagesOn('Castles')
  const dogs = (await gallery.api.client.boardOperations.list())[0]?.board_id ?? ''
  await gallery.api.client.images.move([image?.image_name ?? ''], dogs)
  await gallery.reload()
  await gallery.board('Castles')
  expect(names()).toEqual(['Dogs', 'Castles', 'Cats'])
})

test('does not offer “Last added” on a server that does not store it', async () => {
  await gallery.api.createBoard('Castles')
  gallery.answer = ({ path }) =>
    path.endsWith('/capabilities') ? Response.json(withoutExtensions) : undefined
  await gallery.open()
  await gallery.board('Castles')

  await gallery.press('Sort boards')

  await screen.findByRole('menuitemradio', { name: 'Newest first' })
  expect(screen.queryByRole('menuitemradio', { name: 'Last added' })).toBeNull()
})

const withoutExtensions = {
  server: 'tessera',
  version: '0.1.0',
  extensions: [],
  thumbnail_sizes: [],
  limits: { max_names_per_request: 1000 },
}

test('hides private boards, except the open one, also after a reload', async () => {
  await gallery.api.client.boardOperations.create('Diary', { isPrivate: true })
  await gallery.api.createBoard('Cats')
  await gallery.open()
  await gallery.board('Diary')

  await choose('menuitemcheckbox', 'Hide private boards')
  await waitFor(() => expect(names()).toEqual(['Cats']))
  await gallery.reload()
  await gallery.board('Cats')
  expect(names()).toEqual(['Cats'])

  await gallery.open({ board: 'Diary' })
  await gallery.board('Diary')
  expect(names()).toEqual(['Cats', 'Diary'])
})

test('moves boards by hand, keeps them there after a reload, and undoes it', async () => {
  for (const name of ['Castles', 'Cats', 'Dogs']) await gallery.api.createBoard(name)
  await gallery.open()
  await gallery.board('Castles')
  await choose('menuitemradio', 'By hand')
  expect(names()).toEqual(['Dogs', 'Cats', 'Castles'])

  await gallery.chooseForBoard('Castles', 'Move up')
  await waitFor(() => expect(names()).toEqual(['Dogs', 'Castles', 'Cats']))
  ;(await gallery.board('Castles')).focus()
  await gallery.user.keyboard('{Alt>}{ArrowUp}{/Alt}')
  await waitFor(() => expect(names()).toEqual(['Castles', 'Dogs', 'Cats']))
  await expect.poll(() => storedNames()).toEqual(['Castles', 'Dogs', 'Cats'])
  await gallery.reload()
  await gallery.board('Castles')
  expect(names()).toEqual(['Castles', 'Dogs', 'Cats'])
  await waitFor(() => expect(gallery.page.journal.getState()).toHaveLength(2))

  await gallery.press('Undo last change')
  await waitFor(() => expect(names()).toEqual(['Dogs', 'Castles', 'Cats']))
})

test('Undo leaves a board where somebody else has moved it since', async () => {
  for (const name of ['Castles', 'Cats']) await gallery.api.createBoard(name)
  await gallery.open()
  await gallery.board('Castles')
  await choose('menuitemradio', 'By hand')
  await gallery.chooseForBoard('Castles', 'Move up')
  await expect.poll(() => storedNames()).toEqual(['Castles', 'Cats'])
  const { board_id } = await storedBoard('Castles')
  await gallery.api.client.boardOperations.update(board_id, { position: 'z'.padEnd(27, 'z') })

  await gallery.press('Undo last change')

  await gallery.toast('It was moved in the list since.')
  expect((await storedBoard('Castles')).position).toBe('z'.repeat(27))
})

const storedBoard = async (name: string): Promise<Board> => {
  const boards = await gallery.api.client.boardOperations.list()
  const board = boards.find(({ board_name }) => board_name === name)
  if (board === undefined) throw new Error(`no board ${name}`)
  return board
}

/** Returns the names of the boards in the order by hand, as the server has them. */
const storedNames = async () => {
  const boards = await gallery.api.client.boardOperations.list()
  return inOrder(boards, 'hand').map(({ board_name }) => board_name)
}
