import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { GalleryInWindow } from '#integration/gallery-in-window.ts'

const startGallery = GalleryInWindow.reusingServer()
let gallery: GalleryInWindow
beforeEach(async () => {
  gallery = await startGallery()
  await gallery.api.uploadImages(['a.png', 'b.png', 'c.png'])
  await gallery.api.createBoard('Portraits')
})

const showsTiles = (...names: string[]) => waitFor(() => expect(gallery.tiles()).toEqual(names))

const star = async (...fileNames: string[]) => {
  const images = await gallery.api.imagesOn()
  const names = images.flatMap(({ image_name, file_name }) =>
    fileNames.includes(file_name ?? '') ? [image_name] : [],
  )
  await gallery.api.client.images.star(names)
}

test('shows the starred images with their number', async () => {
  await star('a.png', 'c.png')
  await gallery.open()

  await gallery.openBoard('Starred')

  await showsTiles('c.png', 'a.png')
  await waitFor(() => expect(gallery.countOn('Starred')).toBe('2'))
})

test('removes an unstarred image from the view at once', async () => {
  await star('a.png', 'b.png')
  await gallery.open({ board: 'starred' })
  await showsTiles('b.png', 'a.png')
  const isAnswered = Promise.withResolvers<void>()
  gallery.onRequest = ({ path }) => path.includes('unstar') && isAnswered.promise

  await gallery.select('b.png')
  await gallery.user.keyboard('s')
  await showsTiles('a.png')
  await waitFor(() => expect(gallery.countOn('Starred')).toBe('1'))
  isAnswered.resolve()

  await expect
    .poll(async () => (await gallery.api.imagesOn()).filter(({ starred }) => starred))
    .toHaveLength(1)
})

test('offers to undo an image that left the view without its star', async () => {
  await star('a.png', 'b.png')
  await gallery.open({ board: 'starred' })
  await showsTiles('b.png', 'a.png')

  await gallery.select('b.png')
  await gallery.user.keyboard('s')
  await showsTiles('a.png')
  await gallery.toast('Unstarred 1 image')
  await gallery.undo()

  await showsTiles('b.png', 'a.png')
})

test('shows only the starred images of a board, also after a reload', async () => {
  await star('b.png')
  await gallery.open({ board: 'none' })
  await waitFor(() => expect(gallery.tiles()).toHaveLength(3))

  await gallery.press('Filter')
  const only = await screen.findByRole('switch', { name: 'Only starred images' })
  await gallery.user.click(only)
  await gallery.user.keyboard('{Escape}')
  await showsTiles('b.png')
  await gallery.reload()
  await showsTiles('b.png')
  await gallery.press('Only Starred images: clear filter')

  await waitFor(() => expect(gallery.tiles()).toHaveLength(3))
})

test('counts a star that is set on another view', async () => {
  await gallery.open()
  await waitFor(() => expect(gallery.countOn('Starred')).toBe('0'))

  const tile = await gallery.image('a.png')
  await gallery.user.hover(tile)
  fireEvent.click(within(tile).getByRole('button', { name: 'Star' }))

  await waitFor(() => expect(gallery.countOn('Starred')).toBe('1'))
})
