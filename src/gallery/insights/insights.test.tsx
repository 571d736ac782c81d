import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { GalleryInWindow } from '#integration/gallery-in-window.ts'
import { drawFile } from '#testing/library/draw-file.ts'

const startGallery = GalleryInWindow.reusingServer()
let gallery: GalleryInWindow

let castlesId: string

beforeEach(async () => {
  gallery = await startGallery()
  castlesId = (await gallery.api.createBoard('Castles')).boardId ?? ''
})

/** Adds two images with the same seed, one of them on a board, and a photo. */
const fill = async () => {
  const { uploads } = gallery.api.client
  for (const [fileName, prompt] of [
    ['a.png', 'a castle at dawn'],
    ['b.png', 'a castle, neon'],
  ] as const) {
    const metadata = { positive_prompt: prompt, seed: 1234, model: { name: 'flux1-dev' } }
    const bytes = await drawFile(fileName)
    const boardId = fileName === 'a.png' ? castlesId : undefined
    await uploads.upload({ bytes, fileName, metadata }, { boardId })
  }
  await gallery.api.uploadImage('c.jpg')
}

/** The sidebar has a region “Ratings” too. */
const plots = () => within(screen.getByRole('main', { name: 'Insights' }))

const region = (name: string | RegExp) => waitFor(() => plots().getByRole('region', { name }))

/** Returns the rows of a table as screen readers read them. */
const rows = async (title: string) => {
  const table = await within(await region(title)).findByRole('table')
  return [...table.querySelectorAll('tbody tr')].map((row) =>
    [...row.children].map(({ textContent }) => textContent).join(' | '),
  )
}

const query = () => new URLSearchParams(window.location.search).get('q') ?? ''

/** Opens the insights with the table of the three words. */
const openWords = async () => {
  await fill()
  await gallery.open({ path: '/?page=insights' })
  const words = await region('Words of prompts')
  expect(await rows('Words of prompts')).toHaveLength(3)
  await gallery.user.click(
    within(words).getByRole('button', { name: 'Show the table of Words of prompts' }),
  )
  return words
}

test('sums up all images in tables, and follows the search and the board', async () => {
  await fill()
  await gallery.open()
  await gallery.user.click(await gallery.board('Insights'))

  expect(await rows('Models')).toEqual(['flux1-dev | 2'])
  expect(await rows('Formats')).toEqual(['PNG | 2', 'JPG | 1'])
  expect(await rows('Words of prompts')).toEqual(['castle | 2', 'dawn | 1', 'neon | 1'])
  expect(await rows('Seeds used again')).toEqual(['1234 | 2'])
  expect((await rows('Storage by board')).map((row) => row.split(' | ').slice(0, 2))).toEqual(
    expect.arrayContaining([
      ['Assets', '2'],
      ['Castles', '1'],
    ]),
  )
  expect(screen.queryByRole('region', { name: 'LoRAs' })).toBeNull()
  expect((await gallery.board('Insights')).getAttribute('aria-current')).toBe('page')
  expect((await gallery.board('All images')).getAttribute('aria-current')).toBeNull()

  await gallery.user.type(screen.getByRole('combobox', { name: /Search/ }), 'type:jpg{Enter}')
  await waitFor(async () => expect(await rows('Formats')).toEqual(['JPG | 1']))
  expect(screen.getByRole('main', { name: 'Insights' }).textContent).toContain('1 image')

  await gallery.user.click(await gallery.board('Castles'))
  await gallery.image('a.png')
  await gallery.user.keyboard('{Shift>}I{/Shift}')
  await waitFor(async () =>
    expect(await rows('Words of prompts')).toEqual(['castle | 1', 'dawn | 1']),
  )
  expect(screen.queryByRole('region', { name: 'Storage by board' })).toBeNull()
  await gallery.user.keyboard('{Shift>}I{/Shift}')
  await gallery.image('a.png')
})

test('plots ratings from the best to none, once an image is rated @long', async () => {
  await fill()
  await gallery.open({ path: '/?page=insights' })
  expect(await rows('Formats')).toHaveLength(2)
  expect(plots().queryByRole('region', { name: 'Ratings' })).toBeNull()

  const [first, second] = await gallery.api.imagesOn()
  await gallery.api.client.images.rate([first?.image_name ?? ''], 5)
  await gallery.api.client.images.rate([second?.image_name ?? ''], 1)
  await gallery.reload()
  expect(await rows('Ratings')).toEqual(['5 stars | 1', '1 star | 1', 'Not rated | 1'])

  const ratings = await region('Ratings')
  await gallery.user.click(
    within(ratings).getByRole('button', { name: 'Show the table of Ratings' }),
  )
  await gallery.user.keyboard('{Alt>}')
  await gallery.user.click(within(ratings).getByRole('button', { name: 'Not rated' }))
  await gallery.user.keyboard('{/Alt}')
  expect(query()).toBe('-rating:0')
  await waitFor(async () => expect(await rows('Ratings')).toEqual(['5 stars | 1', '1 star | 1']))
  await gallery.user.click(within(ratings).getByRole('button', { name: '5 stars' }))
  await waitFor(() => expect(gallery.tiles()).toEqual([first?.file_name]))
  expect(query()).toBe('-rating:0 rating:5')
})

test('opens the images of a value of a table, or excludes it', async () => {
  const words = await openWords()
  await gallery.user.keyboard('{Alt>}')
  await gallery.user.click(within(words).getByRole('button', { name: 'neon' }))
  await gallery.user.keyboard('{/Alt}')
  expect(query()).toBe('-prompt="neon"')
  await waitFor(async () =>
    expect(await rows('Words of prompts')).toEqual(['castle | 1', 'dawn | 1']),
  )

  await gallery.user.click(within(words).getByRole('button', { name: 'dawn' }))
  await gallery.image('a.png')
  expect(query()).toBe('-prompt="neon" prompt="dawn"')
  expect(gallery.tiles()).toEqual(['a.png'])
})

test('offers in a menu to plot only a value, or to exclude it', async () => {
  const words = await openWords()
  const choose = async (word: string, item: string) => {
    fireEvent.contextMenu(within(words).getByRole('button', { name: word }))
    const menu = within(await screen.findByRole('menu', { name: word }))
    await gallery.user.click(menu.getByRole('menuitem', { name: item }))
  }
  await choose('neon', 'Exclude')
  await waitFor(async () =>
    expect(await rows('Words of prompts')).toEqual(['castle | 1', 'dawn | 1']),
  )
  expect(query()).toBe('-prompt="neon"')

  await choose('dawn', 'Plot only these')
  await waitFor(async () => expect(await rows('Formats')).toEqual(['PNG | 1']))
  expect(query()).toBe('-prompt="neon" prompt="dawn"')

  await choose('castle', 'Show the images')
  await waitFor(() => expect(gallery.tiles()).toEqual(['a.png']))
})

test('keeps the focus after an exclusion: on the next row, the heading, or the page', async () => {
  const words = await openWords()
  const focused = () => document.activeElement?.textContent
  const exclude = async (button: HTMLElement) => {
    await gallery.user.keyboard('{Alt>}')
    await gallery.user.click(button)
    await gallery.user.keyboard('{/Alt}')
  }

  await exclude(within(words).getByRole('button', { name: 'dawn' }))
  await waitFor(async () =>
    expect(await rows('Words of prompts')).toEqual(['castle | 1', 'neon | 1']),
  )
  expect(focused()).toBe('neon')

  fireEvent.contextMenu(within(words).getByRole('button', { name: 'neon' }))
  await gallery.user.click(await screen.findByRole('menuitem', { name: 'Exclude' }))
  await within(words).findByText('None in these images.')
  await waitFor(() => expect(focused()).toBe('Words of prompts'))

  const formats = await region('Formats')
  await gallery.user.click(
    within(formats).getByRole('button', { name: 'Show the table of Formats' }),
  )
  await exclude(within(formats).getByRole('button', { name: 'JPG' }))
  await screen.findByText('No images match')
  expect(document.activeElement).toBe(screen.getByRole('main', { name: 'Insights' }))
})

test('says that there is nothing, or that nothing matches', async () => {
  await gallery.open({ path: '/?page=insights' })
  await screen.findByText('No images to plot')

  await gallery.api.uploadImage('c.jpg')
  await gallery.open({ path: '/?page=insights&q=castle' })
  await gallery.user.click(await screen.findByRole('button', { name: 'Clear search' }))
  expect(await rows('Formats')).toEqual(['JPG | 1'])
})

test('says which plots failed, and counts them again @long', async () => {
  await fill()
  gallery.answer = ({ path }) =>
    path.includes('/images/insights') && path.includes('seeds')
      ? new Response('{}', { status: 400 })
      : undefined
  await gallery.open({ path: '/?page=insights' })
  const seeds = await region('Seeds used again')
  await within(seeds).findByText(/Couldn’t count seeds used again/)
  expect(await rows('Models')).toEqual(['flux1-dev | 2'])

  gallery.answer = () => undefined
  await gallery.user.click(within(seeds).getByRole('button', { name: /Retry/ }))
  expect(await rows('Seeds used again')).toEqual(['1234 | 2'])
})
