import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { GalleryInWindow } from '#integration/gallery-in-window.ts'

const startGallery = GalleryInWindow.reusingServer()
let gallery: GalleryInWindow
beforeEach(async () => {
  gallery = await startGallery()
})

const field = async () =>
  (await screen.findByRole('combobox', { name: 'Search images' })) as HTMLInputElement

const options = async () =>
  within(await screen.findByRole('listbox', { name: 'Suggestions' }))
    .getAllByRole('option')
    .map(({ textContent }) => textContent)

const isClosed = () => waitFor(() => expect(screen.queryByRole('listbox')).toBeNull())

const searches = (query: string) =>
  waitFor(() => expect(new URLSearchParams(window.location.search).get('q') ?? '').toBe(query))

test('completes a key and its value by the keyboard', async () => {
  await gallery.open()
  const input = await field()

  await gallery.user.type(input, 'castle sha')
  expect(await options()).toEqual(['shape:Shape, as in shape:portrait'])
  await gallery.user.keyboard('{ArrowDown}{Tab}')
  expect(input.value).toBe('castle shape:')
  await waitFor(async () => expect(await options()).toEqual(['landscape', 'portrait', 'square']))
  await gallery.user.keyboard('{ArrowDown}{ArrowDown}{Enter}')

  expect(input.value).toBe('castle shape:portrait ')
  await isClosed()
  await searches('castle shape:portrait')
})

test('completes the boards of the library, with quotes, by a click @long', async () => {
  await gallery.api.createBoard('Best of')
  await gallery.api.createBoard('Castles')
  await gallery.api.uploadImages(['a.png', 'b.png'], { board: 'Best of' })
  await gallery.api.uploadImage('c.png', { board: 'Castles' })
  await gallery.open()
  const input = await field()

  await gallery.user.type(input, 'board:')
  await waitFor(async () => expect(await options()).toEqual(['Best of2', 'Castles1']))
  await gallery.user.type(input, 'o')
  await waitFor(async () => expect(await options()).toEqual(['Best of2']))
  await gallery.user.click(screen.getByRole('option', { name: /Best of/ }))

  expect(input.value).toBe('board:"Best of" ')
  await waitFor(() => expect(gallery.tiles()).toEqual(['b.png', 'a.png']))
})

test('explains a condition that it does not understand, once the caret has left it', async () => {
  await gallery.open()
  const input = await field()

  await gallery.user.type(input, 'steps>x')
  expect(input.getAttribute('aria-invalid')).toBe('false')
  await gallery.user.type(input, ' sea')

  const fault = await screen.findByText(/A number is expected, as in steps>20/)
  expect(fault.closest('[aria-live=polite]')?.id).toBe(input.getAttribute('aria-describedby'))
  expect(input.getAttribute('aria-invalid')).toBe('true')
})

test('remembers searches, and removes one or all of them', async () => {
  await gallery.open()
  const input = await field()
  for (const search of ['castle', 'is:starred', 'sea']) {
    await gallery.user.clear(input)
    await gallery.user.type(input, `${search}{Enter}`)
  }
  await gallery.user.clear(input)

  expect((await options()).slice(0, 3)).toEqual(['sea', 'is:starred', 'castle'])
  await gallery.user.keyboard('{ArrowDown}{Delete}')
  await waitFor(async () => expect((await options())[0]).toBe('is:starred'))
  await gallery.user.click(screen.getByRole('option', { name: 'Clear recent searches' }))
  await waitFor(async () => expect((await options())[0]).toContain('model:flux'))
  await gallery.user.click(screen.getByRole('option', { name: /^is:starred/ }))

  await searches('is:starred shape:portrait')
})

test('closes the list with the first Escape, and clears the search with the second', async () => {
  await gallery.open()
  const input = await field()
  await gallery.user.type(input, 'mo')
  await options()

  await gallery.user.keyboard('{Escape}')
  await isClosed()
  expect(input.value).toBe('mo')
  await gallery.user.keyboard('{Escape}')

  expect(input.value).toBe('')
  await searches('')
})

test('searches for words that begin like a key, without completing them', async () => {
  await gallery.open()

  await gallery.user.type(await field(), 'mo{Enter}')

  await searches('mo')
  await isClosed()
})

test('sends days as moments of the time zone, and keeps the address as typed', async () => {
  const sent: string[] = []
  gallery.onRequest = ({ path }) => {
    const query = new URL(path, 'http://x').searchParams.get('query')
    if (query !== null && path.startsWith('/api/v1/images/?')) sent.push(query)
  }
  await gallery.open()

  await gallery.user.type(await field(), 'on:2026-05-20')
  await searches('on:2026-05-20')

  const start = new Date(2026, 4, 20).toISOString()
  const end = new Date(2026, 4, 21).toISOString()
  await waitFor(() => expect(sent.at(-1)).toBe(`date:${start}..${end}`))
})

test('is a plain field if the server searches for words only', async () => {
  gallery.answer = ({ path }) =>
    path === '/api/v1/app/capabilities' ? new Response('{}', { status: 404 }) : undefined
  await gallery.open()
  const input = await screen.findByRole('searchbox', { name: 'Search images' })

  await gallery.user.type(input, 'model:')

  expect(input.getAttribute('aria-expanded')).toBeNull()
  expect(screen.queryByRole('listbox')).toBeNull()
  expect(document.querySelector('[data-coloured]')?.textContent).toBe('model:')
})
