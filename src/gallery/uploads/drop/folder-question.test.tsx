import { act, screen } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { newUpload, type UploadTarget } from '#gallery/api/uploads/upload.ts'
import { GalleryInWindow } from '#integration/gallery-in-window.ts'

const startGallery = GalleryInWindow.reusingServer()
let gallery: GalleryInWindow
let uploads: string[]
beforeEach(async () => {
  gallery = await startGallery()
  await gallery.api.createBoard('Summer')
  await gallery.open()
  uploads = []
})

/** Drops folders and records their uploads, because happy-dom does not support folders. */
async function drop(...names: readonly string[]) {
  const { askAboutFolders } = await import('./folders-to-ask.ts')
  const folders = names.map((name) => ({
    name,
    upload: ({ label }: UploadTarget) => void uploads.push(`${name} to ${label}`),
  }))
  act(() => askAboutFolders(folders, { boardId: null, label: 'Assets' }))
}

test('creates a board for each dropped folder, or uses an existing one', async () => {
  await drop('Summer', 'Winter')

  await gallery.press('Create 2 boards')

  await gallery.board('Winter')
  await expect.poll(() => gallery.api.boardNames()).toEqual(['Winter', 'Summer'])
  await expect.poll(() => uploads).toEqual(['Summer to Summer', 'Winter to Winter'])
})

test('uploads a dropped folder to the open board', async () => {
  await drop('Winter')

  await gallery.press('Upload to Assets')

  expect(uploads).toEqual(['Winter to Assets'])
  expect(await gallery.api.boardNames()).toEqual(['Summer'])
})

test('uploads nothing if the board cannot be created, and offers Retry', async () => {
  let isDown = true
  gallery.onRequest = ({ method }) => {
    if (isDown && method === 'POST') throw new TypeError('no connection')
  }
  await drop('Winter')
  await gallery.press('Create a board')
  await gallery.toast('Could not create the board “Winter”')
  expect(uploads).toEqual([])

  isDown = false
  await gallery.press('Retry')

  await expect.poll(() => uploads).toEqual(['Winter to Winter'])
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('moves the existing image to the board instead of uploading a duplicate', async () => {
  const sameImage = await gallery.api.uploadImage('cat.png')
  const board = await gallery.api.client.boards.getBoardHandleByName('Summer')
  const target = { boardId: board?.boardId ?? '', label: 'Summer' }
  const upload = newUpload('id', { fileName: 'cat.png', folder: '', bytes: 1 }, target)

  act(() => {
    gallery.page.uploads.store.apply({
      type: 'added',
      uploads: [{ ...upload, status: 'known', sameImage }],
    })
  })
  await gallery.press('Move the existing image here')

  await expect.poll(() => gallery.api.namesOn('Summer')).toEqual(['cat.png'])
  expect(screen.queryByRole('region', { name: 'Uploads' })).toBeNull()
})
