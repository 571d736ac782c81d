import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { GalleryInWindow } from '#integration/gallery-in-window.ts'

const startGallery = GalleryInWindow.reusingServer()
let gallery: GalleryInWindow
// Newest first: c b a.
beforeEach(async () => {
  gallery = await startGallery()
  await gallery.api.uploadImages(['a.png', 'b.png', 'c.png'])
})

const shows = (text: string) =>
  waitFor(() => {
    expect(screen.getByRole('dialog', { name: 'Image viewer' }).textContent).toContain(text)
  })

const isClosed = () =>
  waitFor(() => expect(screen.queryByRole('dialog', { name: 'Image viewer' })).toBeNull())

test('shows the next and the previous image with keys and buttons', async () => {
  await gallery.view('c.png')
  await shows('1 of 3')

  await gallery.user.keyboard('{ArrowRight}')
  await shows('2 of 3')
  await gallery.press('Next image')
  await shows('3 of 3')
  await gallery.press('Previous image')
  await shows('2 of 3')
})

test('shows generation details, and searches for a clicked value', async () => {
  const [image] = await gallery.api.imagesOn()
  const metadata = image ? await gallery.api.client.images.metadata(image.image_name) : null
  await gallery.view('c.png')
  await shows('1 of 3')

  await gallery.user.keyboard('i')
  const details = await screen.findByRole('complementary', { name: 'Details' })
  for (const text of [metadata?.prompt, String(metadata?.seed), 'c.png']) {
    await waitFor(() => expect(details.textContent).toContain(text))
  }
  await gallery.user.click(within(details).getByRole('button', { name: String(metadata?.seed) }))

  await isClosed()
  const search = screen.getByLabelText('Search images') as HTMLInputElement
  expect(search.value).toBe(`seed:${metadata?.seed}`)
  await gallery.image('c.png')
})

test('stars and deletes an image in the viewer', async () => {
  const viewer = within(await gallery.view('c.png'))

  await gallery.user.click(await viewer.findByRole('button', { name: 'Star' }))
  await viewer.findByRole('button', { name: 'Unstar' })
  await gallery.user.click(viewer.getByRole('button', { name: 'Delete' }))

  await shows('1 of 2')
  await expect.poll(() => gallery.api.namesOn()).toEqual(['b.png', 'a.png'])
})

test('keeps the prompt and file name in a copy made from the viewer @long', async () => {
  const { api } = gallery
  await api.createBoard('Castles')
  await gallery.view('a.png')

  await gallery.press('More')
  await gallery.user.click(await screen.findByRole('menuitem', { name: 'Copy to board…' }))
  await gallery.user.click(await screen.findByRole('option', { name: /^Castles/ }))

  await expect.poll(() => api.namesOn('Castles')).toEqual(['a.png'])
  const [copy] = await api.imagesOn('Castles')
  const metadata = await api.client.images.metadata(copy?.image_name ?? '')
  await gallery.open({ path: `/?image=${copy?.image_name}` })
  await shows('1 of')
  await gallery.user.keyboard('i')
  await screen.findByRole('button', { name: metadata?.prompt ?? 'no prompt' })
})

test('says that another client deleted the image, and shows the next one', async () => {
  const { api } = gallery
  gallery.watchesQueue = true
  await gallery.view('c.png')
  await shows('1 of 3')
  const [c = ''] = (await api.imagesOn()).map(({ image_name }) => image_name)

  await api.client.trash.trashImages([c])
  await screen.findByText('This image was deleted. It is in the trash.')
  await gallery.press('Show the next image')

  await shows('1 of 2')
})

test('offers the previous image if the deleted one was the last of its view @long', async () => {
  const { api } = gallery
  gallery.watchesQueue = true
  await gallery.view('a.png')
  await shows('3 of 3')
  const [a = ''] = (await api.imagesOn()).map(({ image_name }) => image_name).slice(-1)

  await api.client.trash.trashImages([a])
  await gallery.press('Show the previous image')

  await shows('2 of 2')
})

test('says that another client deleted the image permanently @long', async () => {
  const { api } = gallery
  gallery.watchesQueue = true
  await gallery.view('c.png')
  await shows('1 of 3')
  const [c = ''] = (await api.imagesOn()).map(({ image_name }) => image_name)

  await api.client.images.delete([c])

  await shows('This image was deleted')
})

test('adds a value of the details to the search, and excludes one', async () => {
  await gallery.api.uploadImage('high.png', { widthPx: 64, heightPx: 96 })
  await gallery.view('high.png')
  await shows('1 of 4')
  await gallery.user.keyboard('i')
  const searched = () => new URLSearchParams(window.location.search).get('q')

  await gallery.user.click(await screen.findByRole('button', { name: '64 × 96' }))
  await waitFor(() => expect(gallery.tiles()).toEqual(['high.png']))
  expect(searched()).toBe('size:64x96')
  await gallery.view('high.png')
  await gallery.user.keyboard('{Alt>}')
  await gallery.user.click(await screen.findByRole('button', { name: '64 × 96' }))
  await gallery.user.keyboard('{/Alt}')

  await waitFor(() => expect(gallery.tiles()).toEqual(['c.png', 'b.png', 'a.png']))
  expect(searched()).toBe('-size:64x96')
})
