import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
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

/** Returns the newest board as the server has it. */
const stored = async () => (await gallery.api.client.boardOperations.list())[0]

/** Writes the description of “Portraits”. */
const writeDescription = async (text: string) => {
  await gallery.press('Options for Portraits')
  await gallery.user.click(await screen.findByRole('menuitem', { name: 'Add description…' }))
  await gallery.user.type(await screen.findByRole('textbox', { name: 'Description' }), text)
  await gallery.press('Save')
}

test('keeps a pinned board at the top, also after a reload, until Undo', async () => {
  for (const name of ['Portraits', 'Castles', 'Cats']) await gallery.api.createBoard(name)
  await gallery.open()
  await gallery.board('Portraits')
  expect(names()).toEqual(['Cats', 'Castles', 'Portraits'])

  await gallery.press('Options for Portraits')
  await gallery.user.click(await screen.findByRole('menuitem', { name: 'Pin to the top' }))
  await waitFor(() => expect(names()).toEqual(['Portraits', 'Cats', 'Castles']))
  await waitFor(async () =>
    expect((await gallery.api.client.boardOperations.list())[2]?.starred).toBe(true),
  )
  await gallery.open()
  await gallery.board('Portraits')
  expect(names()).toEqual(['Portraits', 'Cats', 'Castles'])

  await gallery.press('Undo last change')
  await waitFor(() => expect(names()).toEqual(['Cats', 'Castles', 'Portraits']))
})

test('shows the description of a board below its name', async () => {
  await gallery.api.createBoard('Portraits')
  await gallery.open()
  await gallery.user.click(await gallery.board('Portraits'))

  await writeDescription(' Faces in the rain ')

  await screen.findByText('Faces in the rain')
  await waitFor(async () => expect((await stored())?.description).toBe('Faces in the rain'))
})

test('Undo keeps a description that somebody else changed since', async () => {
  await gallery.api.createBoard('Portraits')
  const boardId = (await stored())?.board_id ?? ''
  await gallery.open()
  await writeDescription('Faces')
  await waitFor(async () => expect((await stored())?.description).toBe('Faces'))
  await gallery.api.client.boardOperations.update(boardId, { description: 'Faces, by Ada' })

  await gallery.press('Undo last change')

  await gallery.toast('Its description was changed since.')
  expect((await stored())?.description).toBe('Faces, by Ada')
})
