import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { GalleryInWindow } from '#integration/gallery-in-window.ts'
import { makeInvokeaiRoot } from '#testing/library/make-invokeai-root.ts'
import { drawnBytes, writeTree } from '#testing/library/write-tree.ts'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'

const startGallery = GalleryInWindow.reusingServer()
let gallery: GalleryInWindow
beforeEach(async () => {
  gallery = await startGallery()
  gallery.watchesQueue = true
})

async function makeFolder(files: Readonly<Record<string, Uint8Array | string | null>>) {
  const folder = await createTemporaryFolder()
  onTestFinished(() => removeFolder(folder))
  await writeTree(folder, files)
  return folder
}

/** Opens the dialog and enters a folder. */
async function chooseFolder(path: string) {
  await gallery.press('Add images')
  await gallery.user.click(await screen.findByRole('menuitem', { name: /^Import a folder/ }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Import a folder' }))
  fireEvent.change(dialog.getByRole('textbox', { name: 'Folder' }), { target: { value: path } })
  await gallery.user.type(dialog.getByRole('textbox', { name: 'Folder' }), '{Enter}')
  return dialog
}

const startButton = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Start' })

const isReady = () => waitFor(() => expect(startButton().disabled).toBe(false))

test('reports a missing folder and accepts another one', async () => {
  await gallery.open()
  const dialog = await chooseFolder('/no/such/folder')

  await waitFor(() =>
    expect(dialog.getByRole('alert').textContent).toContain('There is no folder “/no/such/folder”'),
  )
  expect(startButton().disabled).toBe(true)
  await gallery.press('Home folder')
  await isReady()
})

test('counts images in a preview without adding them', async () => {
  await gallery.api.uploadImage('known.png')
  const folder = await makeFolder({
    'Cats/a.png': null,
    'Cats/b.png': null,
    'again.png': await drawnBytes('known.png'),
    'empty.png': '',
  })
  await gallery.open({ board: 'none' })

  const dialog = await chooseFolder(folder)
  await dialog.findByRole('list', { name: `Folders in ${folder}` })
  await gallery.press('Preview import')

  await dialog.findByText('2 new images; 1 already here; 1 will be refused.')
  expect(dialog.getByRole('region', { name: 'Refused files' }).textContent).toContain('empty.png')
  await gallery.user.click(dialog.getByRole('button', { name: 'Cancel' }))
  expect(await gallery.api.boardNames()).toEqual([])
  expect(await gallery.api.namesOn()).toEqual(['known.png'])
})

test('imports all images to one board and links to it @long', async () => {
  const folder = await makeFolder({ 'a.png': null, 'Trip/b.png': null })
  await gallery.open()

  const dialog = await chooseFolder(folder)
  await dialog.findByRole('list', { name: `Folders in ${folder}` })
  await gallery.user.click(dialog.getByRole('radio', { name: 'All on one board' }))
  expect(startButton().disabled).toBe(true)
  const name = dialog.getByRole('combobox', { name: 'Name of the board' })
  await gallery.user.type(name, 'Old pictures')
  await isReady()
  await gallery.user.click(startButton())
  await gallery.press('Show board')

  await waitFor(async () =>
    expect((await gallery.board('Old pictures')).getAttribute('aria-current')).toBe('page'),
  )
  await waitFor(() => expect(gallery.tiles()).toHaveLength(2))
})

test('counts the excluded images of an InvokeAI library @long', async () => {
  const root = await makeInvokeaiRoot('6.14')
  onTestFinished(() => root.remove())
  root.addImage({ image_name: 'shown.png', is_intermediate: 0 }, await drawnBytes('shown.png'))
  root.addImage({ image_name: 'between.png', is_intermediate: 1 }, await drawnBytes('between.png'))
  await gallery.open()

  await chooseFolder(root.folder)
  await isReady()
  await gallery.user.click(startButton())

  const card = await screen.findByRole('region', { name: /^Import of/ })
  await within(card).findByText('1 image')
  expect(card.textContent).toContain('1 intermediate file, hidden in InvokeAI too')
})

test.each([
  ['at once with an event stream @long', { watchesQueue: true, maxMs: 2_500 }],
  ['by asking without one @long', { watchesQueue: false, maxMs: 8_000 }],
] as const)('shows an import of another client %s', async (_, { watchesQueue, maxMs }) => {
  gallery.watchesQueue = watchesQueue
  const folder = await makeFolder({ 'a.png': null })
  await gallery.open()
  await screen.findByRole('button', { name: 'Add images' })
  await gallery.settled()
  let requests = 0
  gallery.onRequest = ({ path }) => {
    if (path === '/api/v1/imports') requests += 1
  }

  const { imports } = gallery.api.client
  const { import_id } = await imports.start({ folder, boards: 'none', watch: true })
  const startedAt = performance.now()
  onTestFinished(() => void imports.cancel(import_id))
  const card = await screen.findByRole('region', { name: /^Import of / })
  expect(performance.now() - startedAt).toBeLessThan(maxMs)
  await within(card).findByText(/Watching/)

  await imports.cancel(import_id)
  await waitFor(() => expect(within(card).queryByText(/Watching/)).toBeNull())
  expect(requests).toBeGreaterThan(0)
  expect(requests).toBeLessThan(8)
})
