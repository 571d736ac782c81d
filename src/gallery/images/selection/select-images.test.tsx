import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { fileNameOfTile, GalleryInWindow } from '#integration/gallery-in-window.ts'
import { drawClip } from '#testing/library/draw-clip.ts'

const startGallery = GalleryInWindow.reusingServer()
let gallery: GalleryInWindow
// Newest first: f e d c b a.
beforeEach(async () => {
  gallery = await startGallery()
  await gallery.api.createBoard('Portraits')
  await gallery.api.uploadImages(['a.png', 'b.png', 'c.png', 'd.png', 'e.png', 'f.png'])
  await gallery.open({ board: 'none' })
  await gallery.image('f.png')
})

const selectedNames = () =>
  screen.queryAllByRole('gridcell', { selected: true }).map(fileNameOfTile)

/** Waits until the selection bar shows how many images are selected. */
const selected = (text: string) =>
  waitFor(() => {
    expect(screen.getByRole('toolbar', { name: 'Selection' }).textContent).toContain(text)
  })

const starredCount = async () =>
  (await gallery.api.imagesOn()).filter(({ starred }) => starred).length

test('selects with a click, adds with Ctrl+click, and selects a range with Shift+click', async () => {
  const { user } = gallery

  await user.click(await gallery.image('f.png'))
  await selected('1 image')
  await gallery.select('f.png', 'd.png')
  await selected('2 images')
  await user.keyboard('{Shift>}')
  await user.click(await gallery.image('b.png'))
  await user.keyboard('{/Shift}')

  expect(selectedNames()).toEqual(expect.arrayContaining(['d.png', 'c.png', 'b.png']))
})

test('selects all images with Ctrl+A and clears the selection with Escape', async () => {
  await gallery.user.click(await gallery.image('f.png'))

  await gallery.user.keyboard('{Control>}a{/Control}')
  await selected('6 images')
  expect(selectedNames()).toHaveLength(6)
  await gallery.user.keyboard('{Escape}')

  await waitFor(() => expect(screen.queryByRole('toolbar', { name: 'Selection' })).toBeNull())
  expect(selectedNames()).toEqual([])
})

test('moves images with M to a board found by typing', async () => {
  await gallery.select('f.png', 'e.png')

  await gallery.user.keyboard('m')
  const dialog = within(await screen.findByRole('dialog', { name: 'Move to board' }))
  await gallery.user.type(await dialog.findByRole('combobox'), 'port')
  await dialog.findByRole('option', { name: /^Portraits/, selected: true })
  await gallery.user.keyboard('{Enter}')

  await waitFor(() => expect(gallery.tiles()).toHaveLength(4))
  await expect.poll(() => gallery.api.namesOn('Portraits')).toEqual(['f.png', 'e.png'])
})

test('creates the target board from the move dialog @long', async () => {
  await gallery.select('f.png')

  await gallery.user.keyboard('m')
  const dialog = within(await screen.findByRole('dialog', { name: 'Move to board' }))
  await gallery.user.type(await dialog.findByRole('combobox'), 'Castles')
  await gallery.user.click(await screen.findByRole('option', { name: /New board/ }))

  await gallery.board('Castles')
  await expect.poll(() => gallery.api.namesOn('Castles')).toEqual(['f.png'])
})

test('stars and deletes images from the selection bar', async () => {
  await gallery.select('f.png', 'e.png')

  await gallery.user.click(gallery.selectionBar.getByRole('button', { name: 'Star' }))
  await expect.poll(starredCount).toBe(2)
  await gallery.user.click(gallery.selectionBar.getByRole('button', { name: 'Delete' }))

  await waitFor(() => expect(gallery.tiles()).toHaveLength(4))
  await expect.poll(() => gallery.api.namesOn()).toEqual(['d.png', 'c.png', 'b.png', 'a.png'])
})

test('copies images to another board, and Undo moves the copies to the trash @long', async () => {
  await gallery.select('a.png', 'b.png', 'c.png')

  await gallery.user.click(gallery.selectionBar.getByRole('button', { name: 'More' }))
  await gallery.user.click(await screen.findByRole('menuitem', { name: 'Copy to board…' }))
  await screen.findByPlaceholderText('Copy 3 images to…')
  await gallery.user.click(await screen.findByRole('option', { name: /^Portraits/ }))
  await gallery.toast('Copied 3 images to Portraits')
  await waitFor(() => expect(gallery.countOn('Portraits')).toBe('3'))
  expect(await gallery.api.namesOn('Portraits')).toEqual(['c.png', 'b.png', 'a.png'])
  expect(await gallery.api.namesOn()).toHaveLength(6)

  await gallery.undo()

  await expect.poll(() => gallery.api.namesOn('Portraits')).toEqual([])
  await waitFor(() => expect(gallery.countOn('Portraits')).toBe('0'))
  expect(await gallery.api.trashedNames()).toHaveLength(3)
  expect(await gallery.api.namesOn()).toHaveLength(6)
})

test('copies to a new board with Shift+M @long', async () => {
  await gallery.user.keyboard('{Control>}a{/Control}')
  await gallery.user.keyboard('{Shift>}M{/Shift}')
  await screen.findByPlaceholderText('Copy 6 images to…')
  await gallery.user.keyboard('Towers{Enter}')

  await expect.poll(async () => (await gallery.api.namesOn('Towers'))?.length).toBe(6)
  await gallery.toast('Copied 6 images to Towers')
  await gallery.user.keyboard('{Control>}z{/Control}')
  await expect.poll(() => gallery.api.namesOn('Towers')).toEqual([])
})

/** Right-clicks an image and chooses a command. */
const chooseFor = async (fileName: string, command: string) => {
  await gallery.user.pointer({ keys: '[MouseRight]', target: await gallery.image(fileName) })
  await gallery.user.click(await screen.findByRole('menuitem', { name: command }))
}

test('applies a right-click command on a selected image to the selection', async () => {
  await gallery.select('a.png', 'b.png')

  await chooseFor('b.png', 'Star')

  await expect.poll(starredCount).toBe(2)
  await selected('2 images')
})

test('applies a right-click command on another image only to that image', async () => {
  await gallery.select('a.png', 'b.png')

  await chooseFor('c.png', 'Delete')

  await expect.poll(() => gallery.api.trashedNames()).toEqual(['c.png'])
})

test('pastes images cut from a menu with the menu of another board @long', async () => {
  await gallery.api.uploadImage('there.png', { board: 'Portraits' })
  await gallery.select('a.png', 'b.png')
  await chooseFor('a.png', 'Cut')
  await gallery.openBoard('Portraits')

  await chooseFor('there.png', 'Paste (move here)')

  await expect.poll(() => gallery.api.namesOn('Portraits')).toEqual(['there.png', 'b.png', 'a.png'])
})

test('names what is selected: images, videos, or both @long', async () => {
  const bytes = new Blob([await drawClip()])
  for (const fileName of ['boat.mp4', 'lake.mp4'])
    await gallery.api.client.videos.upload({ bytes, fileName })
  await gallery.open({ board: 'none' })

  await gallery.select('boat.mp4', 'lake.mp4')
  await selected('2 videos')
  await screen.findByText('2 videos selected')
  await gallery.user.keyboard('m')
  await screen.findByPlaceholderText('Move 2 videos to…')
  await gallery.user.keyboard('{Escape}')
  await gallery.select('boat.mp4', 'lake.mp4', 'f.png')
  await selected('3 items')
  await gallery.user.keyboard('{Control>}a{/Control}')
  await selected('8 items')
  await gallery.user.keyboard('{Delete}')
  await gallery.toast('Moved 8 items to the trash')
})
