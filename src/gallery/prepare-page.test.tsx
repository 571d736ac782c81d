import { test } from 'vitest'
import { GalleryInWindow } from '#integration/gallery-in-window.ts'

const startGallery = GalleryInWindow.reusingServer()

test('asks for the first images before it knows the capabilities of the server', async () => {
  const gallery = await startGallery()
  await gallery.api.uploadImage('a.png')
  const areImagesAsked = Promise.withResolvers<void>()
  gallery.onRequest = ({ path }) => {
    if (/^\/api\/v1\/images\/\?.*&order_by=taken_at&.*limit=[1-9]/.test(path))
      areImagesAsked.resolve()
    return path.startsWith('/api/v1/app/capabilities') ? areImagesAsked.promise : undefined
  }
  await gallery.open()

  // Otherwise each request waits for the other, and the image never comes.
  await gallery.image('a.png')
})
