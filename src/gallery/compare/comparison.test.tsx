import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { GalleryInWindow } from '#integration/gallery-in-window.ts'

const startGallery = GalleryInWindow.reusingServer()
let gallery: GalleryInWindow
// Newest first: d c b a.
beforeEach(async () => {
  gallery = await startGallery()
  await gallery.api.uploadImages(['a.png', 'b.png', 'c.png', 'd.png'])
})

const comparison = () => screen.findByRole('dialog', { name: 'Comparison' })
const isClosed = () =>
  waitFor(() => expect(screen.queryByRole('dialog', { name: 'Comparison' })).toBeNull())

/** Returns the names below the pictures. */
const shownNames = async () =>
  within(await comparison())
    .getAllByRole('listitem')
    .map((item) => item.querySelector('bdi')?.textContent)

const focusedLabel = () => document.activeElement?.getAttribute('aria-label')

async function compare(...fileNames: string[]) {
  await gallery.open({ board: 'none' })
  await gallery.select(...fileNames)
  await gallery.user.keyboard('c')
  await waitFor(async () => expect(await shownNames()).toHaveLength(fileNames.length))
}

test('compares the selected images, and moves the focus between them by arrows', async () => {
  await compare('d.png', 'b.png', 'a.png')
  expect(await shownNames()).toEqual(['d.png', 'b.png', 'a.png'])
  await waitFor(() => expect(focusedLabel()).toMatch(/^Image 1 of 3/))

  await gallery.user.keyboard('{ArrowRight}')
  await waitFor(() => expect(focusedLabel()).toMatch(/^Image 2 of 3/))
  await gallery.user.keyboard('{ArrowLeft}{ArrowLeft}')
  await waitFor(() => expect(focusedLabel()).toMatch(/^Image 3 of 3/))

  await gallery.user.keyboard('{Escape}')
  await isClosed()
})

test('loads the comparison when a second image is selected', async () => {
  await gallery.open({ board: 'none' })
  // The page has its own instance of each module.
  const { Comparison } = await import('#gallery/lazy-parts.ts')
  const preload = vi.spyOn(Comparison, 'preload')
  await gallery.select('a.png')
  expect(preload).not.toHaveBeenCalled()

  await gallery.select('a.png', 'b.png')

  await waitFor(() => expect(preload).toHaveBeenCalledOnce())
})

test('says why one image cannot be compared @long', async () => {
  await gallery.open({ board: 'none' })
  await gallery.select('a.png')

  await gallery.user.keyboard('c')

  await gallery.toast('Select at least 2 images')
  expect(screen.queryByRole('dialog', { name: 'Comparison' })).toBeNull()
})

test('keeps one image, and restores the others with one Undo', async () => {
  await compare('c.png', 'b.png', 'a.png')
  await gallery.user.keyboard('{ArrowRight}k')

  await isClosed()
  await expect.poll(() => gallery.api.namesOn()).toEqual(['d.png', 'b.png'])
  await gallery.undo()
  await expect.poll(() => gallery.api.namesOn()).toEqual(['d.png', 'c.png', 'b.png', 'a.png'])
})

test('deletes an image, shows it again after Undo, and takes another one out', async () => {
  await compare('d.png', 'c.png', 'b.png', 'a.png')
  await gallery.user.keyboard('{Delete}')
  await waitFor(async () => expect(await shownNames()).toEqual(['c.png', 'b.png', 'a.png']))
  await expect.poll(() => gallery.api.trashedNames()).toEqual(['d.png'])

  await gallery.user.keyboard('{Control>}z{/Control}')
  await waitFor(async () => expect(await shownNames()).toHaveLength(4))

  await gallery.user.keyboard('x')
  await waitFor(async () => expect(await shownNames()).toEqual(['c.png', 'b.png', 'a.png']))
  expect(await gallery.api.trashedNames()).toEqual([])
})

test('stars and unstars the focused image', async () => {
  await compare('d.png', 'c.png')
  const starred = async () => {
    const images = await gallery.api.imagesOn()
    return images.filter(({ starred }) => starred).map(({ file_name }) => file_name)
  }

  await gallery.user.keyboard('{ArrowRight}s')
  await screen.findByRole('button', { name: 'Unstar' })
  await expect.poll(starred).toEqual(['c.png'])
  await waitFor(() => expect(focusedLabel()).toMatch(/, starred$/))

  await gallery.press('Unstar')
  await expect.poll(starred).toEqual([])
})

test('rates the focused image by key, and undoes that @long', async () => {
  await compare('d.png', 'c.png')
  const ratings = async () => (await gallery.api.imagesOn()).map(({ rating }) => rating)

  await gallery.user.keyboard('{ArrowRight}4')
  await waitFor(() => expect(focusedLabel()).toMatch(/^Image 2 of 2.*, rated 4 of 5$/))
  await expect.poll(ratings).toEqual([0, 4, 0, 0])
  expect(within(await comparison()).getByText('★★★★')).toBeTruthy()

  await gallery.user.keyboard('0')
  await waitFor(() => expect(focusedLabel()).not.toContain('rated'))
  await expect.poll(ratings).toEqual([0, 0, 0, 0])
  await gallery.user.keyboard('{Control>}z{/Control}')
  await waitFor(() => expect(focusedLabel()).toMatch(/, rated 4 of 5$/))
  await expect.poll(ratings).toEqual([0, 4, 0, 0])
})

test('lists only what differs', async () => {
  await compare('d.png', 'c.png')

  await gallery.user.keyboard('i')

  const table = within(await screen.findByRole('table'))
  await table.findByRole('rowheader', { name: 'Seed' })
  expect(table.queryByRole('rowheader', { name: 'Format' })).toBeNull()
  const status = within(await comparison()).getByText(/^Comparing 2 images/)
  expect(status.textContent).toContain('Seed')
})

test('finds the images with a value that is clicked @long', async () => {
  await compare('d.png', 'c.png')
  await gallery.user.keyboard('i')
  const table = within(await screen.findByRole('table'))
  const seeds = await table.findAllByTitle(/^Add seed:/)

  const [seed] = seeds
  if (seed === undefined) throw new Error('The table has no seed.')
  await gallery.user.click(seed)

  await isClosed()
  await waitFor(() => expect(gallery.tiles()).toEqual(['d.png']))
})

test('lists ratings and tags that differ, and excludes a rating that is Alt+clicked', async () => {
  const [newest] = await gallery.api.imagesOn()
  const name = newest?.image_name ?? ''
  await gallery.api.client.images.rate([name], 4)
  await gallery.api.client.images.tag([name], { add: ['keep', 'sky'] })
  await compare('d.png', 'c.png')
  await gallery.user.keyboard('i')
  const table = within(await screen.findByRole('table'))
  const valuesOf = async (label: string) => {
    const row = (await table.findByRole('rowheader', { name: label })).parentElement
    return [...(row?.querySelectorAll('td') ?? [])].map(({ textContent }) => textContent)
  }
  expect(await valuesOf('Rating')).toEqual(['4 stars', 'Not rated'])
  expect(await valuesOf('Tags')).toEqual(['keep\nsky', '–'])
  table.getByTitle(/^Add tag="keep" tag="sky" to the search/)

  await gallery.user.keyboard('{Alt>}')
  await gallery.user.click(table.getByTitle(/^Add rating:0 to the search/))
  await gallery.user.keyboard('{/Alt}')

  await isClosed()
  await waitFor(() => expect(gallery.tiles()).toEqual(['d.png']))
})

describe('of many images', () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'].map((name) => `${name}.png`)
  // Newest first: j i h … a.
  beforeEach(async () => {
    await gallery.api.uploadImages(names.slice(4))
    await gallery.open({ board: 'none' })
    await gallery.image('j.png')
    await gallery.user.keyboard('{Control>}a{/Control}c')
    await screen.findByRole('heading', { name: 'Match 1 of 9' })
  })
  const next = (number: number) => screen.findByRole('heading', { name: `Match ${number} of 9` })

  test('lets the better one meet the next, takes a match back, and deletes the others', async () => {
    await waitFor(async () => expect(await shownNames()).toEqual(['j.png', 'i.png']))
    await gallery.user.keyboard('{ArrowRight}k')
    await next(2)
    await waitFor(async () => expect(await shownNames()).toEqual(['h.png', 'i.png']))
    await gallery.user.keyboard('{Backspace}')
    await next(1)
    await gallery.user.keyboard('k')
    for (let match = 2; match < 9; match += 1) {
      await next(match)
      await waitFor(async () => expect(await shownNames()).toHaveLength(2))
      await gallery.user.keyboard('k')
    }
    await next(9)
    await waitFor(async () => expect(await shownNames()).toHaveLength(2))
    await gallery.user.keyboard('k')

    await screen.findByRole('heading', { name: /^The best of 10/ })
    await gallery.press('Move the other 9 images to the trash')
    await isClosed()
    await expect.poll(() => gallery.api.namesOn()).toHaveLength(1)
    await gallery.undo()
    await expect.poll(() => gallery.api.namesOn()).toHaveLength(10)
  })

  test('goes on without an image that is deleted @long', async () => {
    await waitFor(async () => expect(await shownNames()).toEqual(['j.png', 'i.png']))

    await gallery.user.keyboard('{Delete}')

    await next(2)
    await waitFor(async () => expect(await shownNames()).toEqual(['h.png', 'i.png']))
    await expect.poll(() => gallery.api.trashedNames()).toEqual(['j.png'])
  })
})

test('compares the viewed image with the next one, and returns to the viewer', async () => {
  await gallery.view('c.png')
  // The next image is known with the position.
  const viewer = await screen.findByRole('dialog', { name: 'Image viewer' })
  await waitFor(() => expect(viewer.textContent).toContain('2 of 4'))

  await gallery.user.keyboard('c')
  await waitFor(async () => expect(await shownNames()).toEqual(['c.png', 'b.png']))
  await gallery.user.keyboard('{Escape}')

  await isClosed()
  await screen.findByRole('dialog', { name: 'Image viewer' })
})

test('opens the focused image in the viewer @long', async () => {
  await compare('d.png', 'c.png')

  await gallery.user.keyboard('{ArrowRight}{Enter}')

  const viewer = await screen.findByRole('dialog', { name: 'Image viewer' })
  await waitFor(() => expect(viewer.textContent).toContain('2 of 4'))
  await isClosed()
})

test('draws two images over each other @long', async () => {
  await compare('d.png', 'c.png')

  await gallery.press('Slider')
  await screen.findByRole('slider', { name: 'Image 1 or 2' })
  await gallery.press('Difference of the pixels')
  await screen.findByRole('group', { name: 'Images 1 and 2, difference' })
  await gallery.user.keyboard('{b>}')
  await screen.findByRole('group', { name: 'Images 1 and 2, blink' })
  await gallery.user.keyboard('{/b}g')
  await waitFor(async () => expect(await shownNames()).toHaveLength(2))
})
