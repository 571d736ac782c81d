import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { GalleryInWindow } from '#integration/gallery-in-window.ts'
import { drawClip } from '#testing/library/draw-clip.ts'

const startGallery = GalleryInWindow.reusingServer()
let gallery: GalleryInWindow
beforeEach(async () => {
  gallery = await startGallery()
  await gallery.api.createBoard('Portraits')
  await gallery.api.uploadImage('owl.png', { board: 'Portraits' })
})

const openDialog = async () => {
  await gallery.chooseForBoard('Assets', 'Empty Assets…')
  const dialog = await screen.findByRole('dialog', { name: 'Empty Assets?' })
  return { ...within(dialog), text: () => dialog.textContent }
}

test('empties Assets after a second decision, and Undo restores the images', async () => {
  const { image_name } = await gallery.api.uploadImage('cat.png')
  await gallery.api.uploadImages(['dog.png', 'fox.png'])
  await gallery.api.client.images.star([image_name])
  await gallery.open()
  await waitFor(() => expect(gallery.tiles()).toHaveLength(4))

  const dialog = await openDialog()
  await waitFor(() => expect(dialog.text()).toContain('Contains 3 images (1 starred).'))
  const button = dialog.getByRole<HTMLButtonElement>('button', {
    name: 'Move 3 images to the trash',
  })
  expect(button.disabled).toBe(true)
  await gallery.user.click(dialog.getByRole('checkbox', { name: /Move all images/ }))
  await gallery.user.click(button)

  await waitFor(() => expect(gallery.tiles()).toEqual(['owl.png']))
  await waitFor(() => expect(gallery.countOn('Assets')).toBe('0'))
  const title = await gallery.toast(/3 images.*trash/)
  const toast = within(title.closest('li') as HTMLElement)
  await gallery.user.click(toast.getByRole('button', { name: 'Undo' }))

  await waitFor(() => expect(gallery.tiles()).toHaveLength(4))
  expect(gallery.countOn('Assets')).toBe('3')
})

test('Cancel keeps the images', async () => {
  await gallery.api.uploadImage('cat.png')
  await gallery.open()
  await waitFor(() => expect(gallery.tiles()).toHaveLength(2))

  const dialog = await openDialog()
  await gallery.user.click(dialog.getByRole('checkbox', { name: /Move all images/ }))
  await gallery.user.click(dialog.getByRole('button', { name: 'Cancel' }))

  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(gallery.tiles()).toHaveLength(2)
  expect(await gallery.api.client.images.count({ boardId: 'none' })).toBe(1)
})

test('Assets without images cannot be emptied', async () => {
  await gallery.open()

  await gallery.user.click(await screen.findByRole('button', { name: 'Options for Assets' }))

  const item = await screen.findByRole('menuitem', { name: /^Empty Assets…/ })
  expect(item.getAttribute('aria-disabled')).toBe('true')
})

test('names the videos in Assets', async () => {
  const bytes = new Blob([await drawClip()])
  await gallery.api.client.videos.upload({ bytes, fileName: 'boat.mp4' })
  await gallery.api.uploadImage('cat.png')
  await gallery.open()
  await waitFor(() => expect(gallery.tiles()).toHaveLength(3))

  const dialog = await openDialog()
  await waitFor(() => expect(dialog.text()).toContain('Contains 1 image and 1 video'))
  await gallery.user.click(dialog.getByRole('checkbox', { name: /all images and videos in/ }))
  await gallery.user.click(dialog.getByRole('button', { name: /^Move 1 image and 1 video to/ }))

  await gallery.toast('Moved 2 items to the trash')
})
