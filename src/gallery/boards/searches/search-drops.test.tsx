import { fireEvent, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import type { SavedSearch } from '#client/index.ts'
import { GalleryInWindow } from '#integration/gallery-in-window.ts'

class NoObserver {
  observe(): void {}
  disconnect(): void {}
}

const startGallery = GalleryInWindow.reusingServer()
let gallery: GalleryInWindow
beforeEach(async () => {
  vi.stubGlobal('IntersectionObserver', NoObserver)
  // happy-dom has no list of images, in which the drag preview looks for loaded ones.
  Object.defineProperty(document, 'images', { value: [], configurable: true })
  gallery = await startGallery()
  const { searches } = gallery.api.client
  for (const { search_id } of await searches.list()) await searches.delete(search_id)
  await gallery.api.uploadImages(['castle.png', 'cat.png'])
})

const add = (name: string, query: string, filter: SavedSearch['filter'] = null) =>
  gallery.api.client.searches.create({ name, query, filter })

/** Drags a tile onto the row of a search, with the events of a browser. */
async function drop(fileName: string, searchName: string): Promise<void> {
  // Both are rendered before they can be dragged and dropped on.
  const source = await waitFor(async () => {
    const tile = await gallery.image(fileName)
    const draggable = tile.closest('[draggable=true]') ?? tile.querySelector('[draggable=true]')
    if (draggable === null) throw new Error(`${fileName} cannot be dragged.`)
    return draggable
  })
  const target = await waitFor(async () => {
    const row = await gallery.board(searchName)
    expect(row.closest('[data-drop-target-for-element]')).not.toBeNull()
    return row
  })
  const dataTransfer = { types: [], items: [], files: [], setData() {}, setDragImage() {} }
  fireEvent.dragStart(source, { dataTransfer })
  fireEvent.dragEnter(target, { dataTransfer })
  fireEvent.dragOver(target, { dataTransfer })
  fireEvent.drop(target, { dataTransfer })
}

const marksOfCat = async () => {
  const cat = (await gallery.api.imagesOn()).find(({ file_name }) => file_name === 'cat.png')
  return { starred: cat?.starred, rating: cat?.rating, tags: cat?.tags }
}

const unmarked = { starred: false, rating: 0, tags: [] as string[] }

test.each([
  ['one tag', 'tag:people/anna', { ...unmarked, tags: ['people/anna'] }],
  ['one rating @long', 'rating:4', { ...unmarked, rating: 4 }],
  ['the star', 'is:starred', { ...unmarked, starred: true }],
])('a drop on a search for %s gives it to the image, with Undo', async (_, query, expected) => {
  await add('Mine', query)
  await gallery.open()
  await waitFor(() => expect(gallery.countOn('Mine')).toBe('0'))

  await drop('cat.png', 'Mine')

  await expect.poll(marksOfCat).toEqual(expected)
  await waitFor(() => expect(gallery.countOn('Mine')).toBe('1'))
  await gallery.user.keyboard('{Control>}z{/Control}')
  await expect.poll(marksOfCat).toEqual(unmarked)
})

const rate = async (fileName: string, rating: number) => {
  const image = (await gallery.api.imagesOn()).find(({ file_name }) => file_name === fileName)
  await gallery.api.client.images.rate([image?.image_name ?? ''], rating)
}

test('a drop on a search for a rating or better leaves better ones, and says so', async () => {
  await add('Mine', 'rating>=4')
  await rate('cat.png', 5)
  await gallery.open()
  await waitFor(() => expect(gallery.countOn('Mine')).toBe('1'))

  await drop('cat.png', 'Mine')

  await gallery.toast('1 image already has at least 4 stars')
  await drop('castle.png', 'Mine')
  await waitFor(() => expect(gallery.countOn('Mine')).toBe('2'))
  expect(await marksOfCat()).toEqual({ ...unmarked, rating: 5 })
  await gallery.user.keyboard('{Control>}z{/Control}')
  await waitFor(() => expect(gallery.countOn('Mine')).toBe('1'))
})

test('rates only those of several dropped images that have fewer stars', async () => {
  await add('Mine', 'rating>3')
  await rate('cat.png', 5)
  await gallery.open()
  await gallery.select('cat.png', 'castle.png')

  await drop('cat.png', 'Mine')

  await gallery.toast('Rated 1 image with 4 stars')
  await gallery.toast('1 image already has at least 4 stars')
  await waitFor(() => expect(gallery.countOn('Mine')).toBe('2'))
  expect(await marksOfCat()).toEqual({ ...unmarked, rating: 5 })
})

test.each([
  ['a word', 'castle', null],
  ['two conditions', 'tag:people rating:4', null],
  ['an exclusion @long', '-tag:people', null],
  ['a range of ratings @long', 'rating:2..4', null],
  ['a tag and another filter @long', 'tag:people', { kind: 'video' as const }],
])('a drop on a search for %s changes nothing, and says why', async (_, query, filter) => {
  await add('Mine', query, filter)
  await gallery.open()

  await drop('cat.png', 'Mine')

  await screen.findByText(/^Images cannot be dropped on “.*Mine.*”$/)
  await screen.findByText(/^It shows what its conditions find\. Only a search for starred images/)
  await gallery.settled()
  expect(await marksOfCat()).toEqual(unmarked)
})
