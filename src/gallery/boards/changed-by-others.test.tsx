import { screen, waitFor } from '@testing-library/react'
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

test('leads from a board that was deleted permanently to all images', async () => {
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
