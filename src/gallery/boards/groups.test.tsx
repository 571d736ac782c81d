import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { GalleryInWindow } from '#integration/gallery-in-window.ts'

const startGallery = GalleryInWindow.reusingServer()
let gallery: GalleryInWindow
beforeEach(async () => {
  gallery = await startGallery()
  for (const name of ['Clients/Acme', 'Clients/Old/Beta', 'Work/Misc', 'Sky']) {
    await gallery.api.createBoard(name)
  }
})

const stored = async () => {
  const boards = await gallery.api.client.boardOperations.list({ includeArchived: true })
  return boards.map(({ board_name }) => board_name).toSorted()
}

const before = ['Clients/Acme', 'Clients/Old/Beta', 'Sky', 'Work/Misc']

const chooseForGroup = async (path: string, item: string) => {
  await gallery.press(`Options for ${path}`)
  await gallery.user.click(await screen.findByRole('menuitem', { name: item }))
}

const renameGroup = async (path: string, name: string) => {
  await chooseForGroup(path, 'Rename group…')
  const field = await screen.findByRole('textbox', { name: 'Name' })
  await gallery.user.clear(field)
  await gallery.user.type(field, name)
  await gallery.press('Rename')
}

test('renames a group as one action, which Undo and Redo repeat after a reload', async () => {
  await gallery.open()
  await gallery.board('Clients/Acme')

  await renameGroup('Clients', 'Customers')
  await gallery.board('Customers/Acme')
  const after = ['Customers/Acme', 'Customers/Old/Beta', 'Sky', 'Work/Misc']
  await expect.poll(stored).toEqual(after)
  await gallery.reload()
  await gallery.board('Customers/Acme')
  await gallery.press('Undo last change')
  await expect.poll(stored).toEqual(before)

  await gallery.user.keyboard('{Control>}{Shift>}Z{/Shift}{/Control}')
  await expect.poll(stored).toEqual(after)
})

test('keeps the other boards renamed if the server refuses one, and names that one @long', async () => {
  await gallery.open()
  await gallery.board('Clients/Acme')
  const boards = await gallery.api.client.boardOperations.list()
  const acme = boards.find(({ board_name }) => board_name === 'Clients/Acme')?.board_id ?? ''
  gallery.answer = ({ method, path }) =>
    method === 'PATCH' && path.includes(acme)
      ? Response.json({ detail: 'The disk is full.' }, { status: 507 })
      : undefined

  await renameGroup('Clients', 'Customers')

  await gallery.toast('1 of 2 boards could not be renamed')
  await gallery.toast(/“\u2068?Clients\/Acme\u2069?”/)
  await expect.poll(stored).toEqual(['Clients/Acme', 'Customers/Old/Beta', 'Sky', 'Work/Misc'])
  await gallery.press('Undo last change')
  await expect.poll(stored).toEqual(before)
})

test('moves a group into another one, and out of it again', async () => {
  await gallery.open()
  await gallery.board('Clients/Acme')

  await chooseForGroup('Clients', 'Move into another group…')
  await gallery.user.selectOptions(await screen.findByRole('combobox', { name: 'Into' }), 'Work')
  await gallery.press('Move')
  await expect
    .poll(stored)
    .toEqual(['Sky', 'Work/Clients/Acme', 'Work/Clients/Old/Beta', 'Work/Misc'])
  await gallery.board('Work/Clients/Acme')
  await chooseForGroup('Work/Clients', 'Move into another group…')
  await gallery.user.selectOptions(
    await screen.findByRole('combobox', { name: 'Into' }),
    'No group',
  )
  await gallery.press('Move')

  await expect.poll(stored).toEqual(before)
})

test('archives all boards of a group, and Undo unarchives those that were not archived', async () => {
  const boards = await gallery.api.client.boardOperations.list()
  const beta = boards.find(({ board_name }) => board_name === 'Clients/Old/Beta')?.board_id ?? ''
  await gallery.api.client.boardOperations.update(beta, { archived: true })
  const archived = async () => {
    const all = await gallery.api.client.boardOperations.list({ includeArchived: true })
    return all.filter((board) => board.archived).map(({ board_name }) => board_name)
  }
  await gallery.open()
  await gallery.board('Clients/Acme')

  await chooseForGroup('Clients', 'Archive all')
  await gallery.toast(/^Archived 1 board of/)
  await expect.poll(async () => (await archived()).length).toBe(2)
  await gallery.press('Undo last change')

  await expect.poll(archived).toEqual(['Clients/Old/Beta'])
  await gallery.api.client.boardOperations.update(beta, { archived: false })
})

test('deletes a group with its images after a second decision, and Undo restores all @long', async () => {
  await gallery.api.uploadImages(['a.png', 'b.png'], { board: 'Clients/Acme' })
  const starred = await gallery.api.uploadImage('c.png', { board: 'Clients/Old/Beta' })
  await gallery.api.starImages(starred)
  await gallery.open({ board: 'Clients/Acme' })
  await gallery.board('Clients/Acme')

  await chooseForGroup('Clients', 'Delete group…')
  const dialog = within(await screen.findByRole('dialog', { name: /^Delete the group/ }))
  await waitFor(() =>
    expect(dialog.getByText(/^2 boards/).textContent).toBe('2 boards, with 3 images (1 starred).'),
  )
  expect(dialog.getByRole('button', { name: 'Delete 2 boards, keep images' })).toBeDefined()
  await gallery.user.click(dialog.getByRole('checkbox'))
  await gallery.press('Delete 2 boards and 3 images')
  await expect.poll(stored).toEqual(['Sky', 'Work/Misc'])
  await expect.poll(async () => await gallery.api.imagesOn()).toEqual([])
  expect(window.location.search).not.toContain('board=')

  await gallery.press('Undo last change')
  await expect.poll(stored).toEqual(before)
  await expect.poll(async () => (await gallery.api.imagesOn('Clients/Acme')).length).toBe(2)
  expect(await gallery.api.imagesOn('Clients/Old/Beta')).toHaveLength(1)
})

test('folds and unfolds all groups inside a group @long', async () => {
  await gallery.open()
  await gallery.board('Clients/Old/Beta')

  await chooseForGroup('Clients', 'Fold all inside')
  await waitFor(() => expect(gallery.hasBoard('Clients/Acme')).toBe(false))
  expect(gallery.hasBoard('Work/Misc')).toBe(true)
  await chooseForGroup('Clients', 'Unfold all inside')

  await gallery.board('Clients/Old/Beta')
})
