import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { GalleryInWindow } from '#integration/gallery-in-window.ts'

const startGallery = GalleryInWindow.reusingServer()
let gallery: GalleryInWindow
beforeEach(async () => {
  gallery = await startGallery()
  gallery.watchesQueue = true
})

test('says that the open board was deleted, and offers to restore it', async () => {
  const { api } = gallery
  const { boardId } = await api.createBoard('Portraits')
  await api.uploadImages(['a.png', 'b.png'], { board: 'Portraits' })
  await gallery.open({ board: 'Portraits' })
  await gallery.select('a.png', 'b.png')

  await api.client.trash.trashBoard(boardId, { includeImages: true })
  await screen.findByRole('heading', { name: '“Portraits” was deleted' })
  expect(screen.queryByRole('toolbar', { name: 'Selection' })).toBeNull()
  await gallery.press('Restore the board')

  await waitFor(() => expect(gallery.tiles()).toEqual(['b.png', 'a.png']))
  expect(gallery.hasBoard('Portraits')).toBe(true)
})

test('counts images that others add to a board while it asks whether to delete it @long', async () => {
  await gallery.api.createBoard('Portraits')
  await gallery.open()
  await gallery.chooseForBoard('Portraits', 'Delete board…')
  await screen.findByRole('button', { name: 'Delete board' })

  await gallery.api.uploadImage('a.png', { board: 'Portraits' })

  await screen.findByRole('button', { name: 'Delete board, keep images' })
  expect(screen.getByRole('dialog').textContent).toContain('Contains 1 image')
})

test('says that somebody else deleted the board that it asks about', async () => {
  const { boardId } = await gallery.api.createBoard('Portraits')
  await gallery.open()
  await gallery.chooseForBoard('Portraits', 'Delete board…')
  await screen.findByRole('button', { name: 'Delete board' })

  await gallery.api.client.trash.trashBoard(boardId)

  const dialog = await screen.findByRole('dialog', { name: /Portraits.* was deleted/ })
  expect(within(dialog).getByRole('alert').textContent).toBe('Somebody else deleted this board.')
  await waitFor(() => expect(dialog.contains(document.activeElement)).toBe(true))
  await gallery.press('Close')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('leads from a board that was deleted permanently to all images @long', async () => {
  const { api } = gallery
  const { boardId } = await api.createBoard('Portraits')
  await api.uploadImage('a.png', { board: 'Portraits' })
  await gallery.open({ board: 'Portraits' })
  await gallery.image('a.png')

  await api.client.boardOperations.delete(boardId)
  await screen.findByRole('heading', { name: '“Portraits” was deleted' })
  expect(screen.queryByRole('button', { name: 'Restore the board' })).toBeNull()
  await gallery.press('Show all images')

  await waitFor(() => expect(gallery.tiles()).toEqual(['a.png']))
})

test('offers to restore a board of the trash to which a link leads', async () => {
  const { boardId } = await gallery.api.createBoard('Portraits')
  await gallery.api.client.trash.trashBoard(boardId)
  await gallery.open({ path: `/?board=${boardId}` })

  await screen.findByRole('heading', { name: '“Portraits” is in the trash' })
  await gallery.press('Restore the board')

  await screen.findByRole('heading', { name: 'Portraits' })
})

const field = () => screen.findByRole('textbox', { name: 'Board name' })

/** Opens the name field of “Portraits” and types into it. */
const typeName = async (typed: string) => {
  const { boardId } = await gallery.api.createBoard('Portraits')
  await gallery.open()
  await gallery.chooseForBoard('Portraits', 'Rename')
  await field()
  if (typed !== '') await gallery.user.keyboard(typed)
  return { board: gallery.api.client.boardOperations, boardId }
}

test('keeps the typed name and says that the board was renamed meanwhile', async () => {
  const { board, boardId } = await typeName('Faces')

  await board.update(boardId, { board_name: 'Castles' })
  await screen.findByText(/^Renamed to “Castles” meanwhile\./)
  expect(await field()).toHaveProperty('value', 'Faces')
  expect(document.activeElement).toBe(await field())
  await gallery.user.keyboard('{Enter}')

  await expect.poll(() => gallery.api.boardNames()).toEqual(['Faces'])
  await gallery.press('Undo last change')
  await expect.poll(() => gallery.api.boardNames()).toEqual(['Castles'])
})

test('follows the new name in a field without typed text @long', async () => {
  const { board, boardId } = await typeName('')

  await board.update(boardId, { board_name: 'Castles' })
  await waitFor(async () => expect(await field()).toHaveProperty('value', 'Castles'))
  await gallery.user.keyboard('{Enter}')

  await gallery.board('Castles')
  expect(await gallery.api.boardNames()).toEqual(['Castles'])
})

test('keeps the name field of a deleted board, and says what was not renamed @long', async () => {
  const { board, boardId } = await typeName('Faces')

  await board.delete(boardId)
  await screen.findByText('This board was deleted meanwhile.')
  expect(await field()).toHaveProperty('value', 'Faces')
  await gallery.user.keyboard('{Enter}')

  await gallery.toast('It was not renamed to “Faces”.')
  expect(screen.queryByRole('textbox', { name: 'Board name' })).toBeNull()
  expect(gallery.hasBoard('Portraits')).toBe(false)
})

test('keeps the typed description, and shows the one of another client @long', async () => {
  const { boardId } = await gallery.api.createBoard('Portraits')
  const { boardOperations } = gallery.api.client
  await gallery.open()
  await gallery.chooseForBoard('Portraits', 'Add description…')
  const text = await screen.findByRole('textbox', { name: 'Description' })
  await gallery.user.type(text, 'Faces')

  await boardOperations.update(boardId, { description: 'Faces, by Ada' })
  await screen.findByText('Faces, by Ada')
  expect(text).toHaveProperty('value', 'Faces')
  await gallery.press('Replace')

  const described = async () => (await boardOperations.get(boardId)).description
  await expect.poll(described).toBe('Faces')
  await gallery.press('Undo last change')
  await expect.poll(described).toBe('Faces, by Ada')
})

test('keeps the description dialog of a deleted board without saving @long', async () => {
  const { boardId } = await gallery.api.createBoard('Portraits')
  await gallery.open()
  await gallery.chooseForBoard('Portraits', 'Add description…')
  const text = await screen.findByRole('textbox', { name: 'Description' })
  await gallery.user.type(text, 'Faces')

  await gallery.api.client.boardOperations.delete(boardId)

  await screen.findByText(/^This board was deleted meanwhile\./)
  expect(text).toHaveProperty('value', 'Faces')
  expect(screen.queryByRole('button', { name: 'Save' })).toBeNull()
})

/** Opens the dialog that renames the group “Clients” and types into it. */
const typeGroupName = async (typed: string) => {
  const { boardId } = await gallery.api.createBoard('Clients/Acme')
  await gallery.open()
  await gallery.chooseForBoard('Clients', 'Rename group…')
  const name = await screen.findByRole('textbox', { name: 'Name' })
  await gallery.user.type(name, typed, { initialSelectionStart: 0, initialSelectionEnd: 7 })
  return { name, boardId }
}

test('renames a group that another client renamed meanwhile @long', async () => {
  const { boardId } = await typeGroupName('Customers')

  await gallery.api.client.boardOperations.update(boardId, { board_name: 'Work/Acme' })
  await screen.findByText(/^Renamed to “Work” meanwhile\.$/)
  await gallery.press('Rename')

  await expect.poll(() => gallery.api.boardNames()).toEqual(['Customers/Acme'])
})

test('keeps the name typed for a group whose boards are gone @long', async () => {
  const { name, boardId } = await typeGroupName('Customers')

  await gallery.api.client.boardOperations.delete(boardId)

  await screen.findByText(/^This group no longer exists/)
  expect(name).toHaveProperty('value', 'Customers')
  expect(screen.queryByRole('button', { name: 'Rename' })).toBeNull()
})
