import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { GalleryInWindow } from '#integration/gallery-in-window.ts'
import { drawClip } from '#testing/library/draw-clip.ts'

const startGallery = GalleryInWindow.reusingServer()
let gallery: GalleryInWindow
beforeEach(async () => {
  gallery = await startGallery()
})

const showsTiles = (...names: string[]) => waitFor(() => expect(gallery.tiles()).toEqual(names))

const search = () => screen.getByLabelText('Search images')

test('saves the star of a tile, and removes it after a reload', async () => {
  await gallery.api.uploadImage('cat.png')
  await gallery.open()

  const unstarred = await gallery.image('cat.png')
  await gallery.user.hover(unstarred)
  fireEvent.click(within(unstarred).getByRole('button', { name: 'Star' }))
  await expect.poll(() => gallery.api.imagesOn()).toMatchObject([{ starred: true }])
  await gallery.reload()
  const tile = within(await gallery.image('cat.png'))
  await gallery.user.click(tile.getByRole('button', { name: 'Unstar' }))

  await expect.poll(() => gallery.api.imagesOn()).toMatchObject([{ starred: false }])
})

test('renders placeholders first, and then the tiles in their place', async () => {
  await gallery.api.uploadImages(['a.png', 'b.png'])
  const rendered = new Set<string>()
  const count = (role: string) => document.querySelectorAll(`[role="${role}"]`).length
  const observer = new MutationObserver(() => {
    rendered.add(`${count('row')} row, ${count('gridcell')} tiles`)
  })
  observer.observe(document.body, { childList: true, subtree: true })

  await gallery.open()
  await showsTiles('b.png', 'a.png')
  observer.disconnect()

  expect([...rendered]).toEqual(expect.arrayContaining(['1 row, 0 tiles', '1 row, 2 tiles']))
})

test('sorts images newest first, oldest first, or starred first', async () => {
  await gallery.api.uploadImages(['a.png', 'b.png', 'c.png'])
  const oldest = (await gallery.api.imagesOn()).at(-1)
  if (oldest) await gallery.api.starImages(oldest)

  await gallery.open()
  await showsTiles('c.png', 'b.png', 'a.png')
  await gallery.sort('Starred first')
  await showsTiles('a.png', 'c.png', 'b.png')
  await gallery.sort('Starred first')
  await gallery.sort('Oldest first')

  await showsTiles('a.png', 'b.png', 'c.png')
})

test('keeps the order of a board, also on other boards and after a reload', async () => {
  await gallery.api.createBoard('Portraits')
  await gallery.api.uploadImages(['a.png', 'b.png'], { board: 'Portraits' })
  await gallery.open({ board: 'Portraits' })
  await gallery.sort('Name')
  await showsTiles('a.png', 'b.png')

  await gallery.openBoard('All images')
  await waitFor(() => expect(window.location.search).not.toContain('board='))
  await showsTiles('b.png', 'a.png')
  await gallery.open({ board: 'Portraits' })

  await showsTiles('a.png', 'b.png')
  expect(window.location.search).toContain('sort=name')
})

test('finds images by file name while the user types', async () => {
  await gallery.api.uploadImages(['castle.png', 'forest.png', 'castle-2.png'])
  await gallery.open()

  await gallery.user.type(search(), 'castle')
  await showsTiles('castle-2.png', 'castle.png')
  await gallery.user.clear(search())
  await gallery.user.type(search(), 'lighthouse')
  await screen.findByText(/No image matches/)
  const clear = within(screen.getByRole('main')).getAllByRole('button', { name: 'Clear search' })
  await gallery.user.click(clear.at(-1) as HTMLElement)

  await waitFor(() => expect(gallery.tiles()).toHaveLength(3))
})

test('distinguishes an empty board from a failed load, and retries', async () => {
  await gallery.api.createBoard('Portraits')
  await gallery.api.uploadImage('cat.png')

  await gallery.open({ board: 'Portraits' })
  await waitFor(() => expect(screen.getByRole('main').textContent).toMatch(/drop/i))
  gallery.onRequest = ({ path }) => {
    if (path.startsWith('/api/v1/images/?')) throw new TypeError('no connection')
  }
  await gallery.openBoard('Assets')
  await screen.findByText('Couldn’t load the images')
  gallery.onRequest = () => undefined
  await gallery.user.click(within(screen.getByRole('main')).getByRole('button', { name: 'Retry' }))

  await gallery.image('cat.png')
})

test('sorts by length, and filters videos by length, also new ones', async () => {
  const uploadClip = async (fileName: string, frames: number) => {
    const bytes = new Blob([await drawClip({ frames })])
    await gallery.api.client.videos.upload({ bytes, fileName })
  }
  gallery.watchesQueue = true
  await uploadClip('long.mp4', 50)
  await uploadClip('short.mp4', 10)
  await gallery.api.uploadImage('still.png')
  await gallery.open()
  await showsTiles('still.png', 'short.mp4', 'long.mp4')
  const main = () => screen.getByRole('main').textContent
  const chooseLength = async (length: string) => {
    await gallery.press('Filter')
    const select = await screen.findByRole('combobox', { name: 'Length of videos' })
    await gallery.user.selectOptions(select, length)
    await gallery.user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  }

  await gallery.sort('Length')
  await showsTiles('long.mp4', 'short.mp4', 'still.png')
  await gallery.sort('Shortest first')
  await showsTiles('still.png', 'short.mp4', 'long.mp4')

  await chooseLength('5 to 15 s')
  await showsTiles('long.mp4')
  screen.getByRole('button', { name: 'Only Videos of 5 to 15 s: clear filter' })
  await chooseLength('Over 1 min')
  await waitFor(() => expect(main()).toContain('No video matchesNo videos over 1 min here.'))
  await chooseLength('Under 5 s')
  await showsTiles('short.mp4')
  await uploadClip('shorter.mp4', 5)
  await showsTiles('shorter.mp4', 'short.mp4')
  await gallery.reload()
  await showsTiles('shorter.mp4', 'short.mp4')
  await chooseLength('Any length')
  await showsTiles('shorter.mp4', 'short.mp4', 'long.mp4')
})

test('filters by size, dates, workflow and motion through the search @long', async () => {
  await gallery.api.uploadImage('small.png', { widthPx: 64, heightPx: 64 })
  await gallery.api.uploadImage('large.png', { widthPx: 600, heightPx: 400 })
  await gallery.open({ path: '/?q=png' })
  await showsTiles('large.png', 'small.png')
  await gallery.press('Filter')
  const form = within(await screen.findByRole('dialog', { name: 'Filter' }))
  const size = await form.findByRole('combobox', { name: 'Longer side' })
  const search = () => new URLSearchParams(window.location.search).get('q')

  await gallery.user.selectOptions(size, 'At least 512 px')
  expect(search()).toBe('png size>=512')
  await showsTiles('large.png')

  const since = form.getByLabelText('Since')
  fireEvent.change(since, { target: { value: '0002-05-01' } })
  expect(search()).toBe('png size>=512')
  fireEvent.change(since, { target: { value: '2026-05-01' } })
  expect(search()).toBe('png size>=512 after:2026-05-01')
  fireEvent.change(form.getByLabelText('Before'), { target: { value: '2026-06-01' } })
  await gallery.user.click(form.getByRole('switch', { name: 'With a workflow' }))
  await gallery.user.click(form.getByRole('switch', { name: 'Animated' }))
  expect(search()).toBe('png size>=512 after:2026-05-01 before:2026-06-01 has:workflow is:animated')

  fireEvent.change(since, { target: { value: '' } })
  await gallery.user.click(form.getByRole('switch', { name: 'With a workflow' }))
  await gallery.user.selectOptions(size, 'Any')
  expect(search()).toBe('png before:2026-06-01 is:animated')
})

test('filters by a color, and by another one of the picker', async () => {
  await gallery.open({ path: '/?q=png' })
  await gallery.press('Filter')
  const form = within(await screen.findByRole('dialog', { name: 'Filter' }))
  const search = () => new URLSearchParams(window.location.search).get('q')

  await gallery.user.click(await form.findByRole('button', { name: 'orange' }))
  expect(search()).toBe('png color:orange')
  expect(new URLSearchParams(window.location.search).get('sort')).toBe('match')
  await gallery.user.click(form.getByRole('button', { name: 'blue' }))
  expect(search()).toBe('png color:blue')
  await gallery.user.click(form.getByRole('button', { name: 'blue', pressed: true }))
  expect(search()).toBe('png')

  const picker = form.getByLabelText<HTMLInputElement>('Another color')
  picker.value = '#123456'
  picker.dispatchEvent(new Event('change', { bubbles: true }))
  await waitFor(() => expect(search()).toBe('png color:#123456'))
})

test('shows conditions that the form cannot express, and keeps them @long', async () => {
  await gallery.api.uploadImage('small.png', { widthPx: 64, heightPx: 64 })
  await gallery.open({ path: '/?q=size:60..70+after:7d' })
  await showsTiles('small.png')
  await gallery.press('Filter')
  const form = within(await screen.findByRole('dialog', { name: 'Filter' }))

  const size = await form.findByRole('combobox', { name: 'Longer side' })
  expect(size).toHaveProperty('value', 'size:60..70')
  expect(form.getByLabelText('Since 7d')).toHaveProperty('value', '')
  await gallery.user.click(form.getByRole('switch', { name: 'Animated' }))

  expect(new URLSearchParams(window.location.search).get('q')).toBe(
    'size:60..70 after:7d is:animated',
  )
})

test('filters images by kind, and shows all kinds again with the chip', async () => {
  await gallery.api.uploadImage('made.png', { category: 'general' })
  await gallery.api.uploadImage('depth.png', { category: 'control' })
  await gallery.api.uploadImage('mine.png', { category: 'user' })
  await gallery.open()
  const filter = async (kind: string) => {
    await gallery.press('Filter')
    await gallery.user.selectOptions(await screen.findByRole('combobox', { name: 'Show' }), kind)
    await gallery.user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  }
  const main = () => screen.getByRole('main').textContent
  await showsTiles('mine.png', 'depth.png', 'made.png')
  expect(screen.queryByRole('button', { name: /^Only .*: clear filter/ })).toBeNull()

  await filter('Images')
  await showsTiles('made.png')
  await filter('Uploads and others')
  await showsTiles('mine.png', 'depth.png')
  await gallery.reload()
  await showsTiles('mine.png', 'depth.png')

  await filter('Masks')
  await waitFor(() => expect(main()).toContain('No masks here.'))
  await gallery.user.type(search(), 'castle')
  await waitFor(() => expect(main()).toContain('No masks match “castle”.'))
  await gallery.user.clear(search())
  await gallery.user.keyboard('{Escape}')
  await gallery.press(/^Only .*: clear filter/)

  await waitFor(() => expect(gallery.tiles()).toHaveLength(3))
})

test('shows a message for a board that no longer exists', async () => {
  await gallery.api.uploadImage('cat.png')
  const { boardId } = await gallery.api.createBoard('Gone')
  await gallery.api.client.boards.deleteBoard(boardId)

  await gallery.open({ path: `/?board=${boardId}` })

  await waitFor(() => expect(screen.getByRole('main').textContent).toMatch(/board/i))
  await gallery.openBoard('All images')
  await showsTiles('cat.png')
})

test('creates a demo library, and can cancel it', async () => {
  await gallery.open()

  await gallery.press('Look around in a demo library')
  await screen.findByText(/Drawing the demo library: [1-9]/)
  await gallery.press('Cancel')

  await waitFor(() => expect(screen.queryByText(/Drawing the demo library/)).toBeNull())
  await waitFor(() => expect(gallery.tiles().length).toBeGreaterThan(0))
  const { total } = await gallery.api.client.images.page({}, { offset: 0, limit: 0 })
  expect(total).toBeGreaterThan(0)
})
