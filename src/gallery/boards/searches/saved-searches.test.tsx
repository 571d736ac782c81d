import { fireEvent, screen, waitFor, within } from '@testing-library/react'
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
  gallery = await startGallery()
  const { searches } = gallery.api.client
  for (const { search_id } of await searches.list()) await searches.delete(search_id)
  await gallery.api.uploadImages(['castle.png', 'cat.png', 'dog.png'])
})

const add = (name: string, query: string, position: string | null = null) =>
  gallery.api.client.searches.create({ name, query, position })
const saved = () => gallery.api.client.searches.list()
const savedNames = async () => (await saved()).map(({ name }) => name)
const section = () => within(screen.getByRole('region', { name: 'Saved searches' }))
const rows = () =>
  screen.queryByRole('region', { name: 'Saved searches' }) === null
    ? []
    : section()
        .queryAllByRole('link')
        .map((row) => row.getAttribute('aria-label'))
const showsTiles = (...names: string[]) => waitFor(() => expect(gallery.tiles()).toEqual(names))
const undo = () => gallery.user.keyboard('{Control>}z{/Control}')
const redo = () => gallery.user.keyboard('{Control>}y{/Control}')

test('shows nothing until there is a saved search', async () => {
  await gallery.open()
  await gallery.image('cat.png')
  expect(screen.queryByRole('region', { name: 'Saved searches' })).toBeNull()
  expect(screen.queryByRole('button', { name: 'Save this search' })).toBeNull()
})

test('saves the search of the page with a name and an icon, and undoes and redoes that', async () => {
  await gallery.open({ path: '/?q=name:cat&kind=images' })
  await gallery.press('Save this search')
  const dialog = within(await screen.findByRole('dialog', { name: 'Save this search' }))
  const name = dialog.getByRole('textbox', { name: 'Name' })
  expect(name).toHaveProperty('value', 'name:cat')
  await gallery.user.clear(name)
  await gallery.user.click(dialog.getByRole('button', { name: 'Save' }))
  expect(dialog.getByRole('alert').textContent).toBe('A saved search needs a name.')
  await gallery.user.type(name, 'Cats')
  await gallery.user.click(dialog.getByRole('radio', { name: 'Cat' }))
  await gallery.user.click(dialog.getByRole('button', { name: 'Save' }))

  await waitFor(() => expect(rows()).toEqual(['Cats']))
  const [search] = (await saved()) as [SavedSearch]
  expect(search).toMatchObject({ name: 'Cats', query: 'name:cat', icon: 'cat' })
  expect(search.filter).toEqual({ categories: ['general'], kind: 'image' })
  expect(window.location.search).toContain(`search=${search.search_id}`)
  expect((await gallery.board('Cats')).getAttribute('aria-current')).toBe('page')
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Cats')
  expect(screen.queryByRole('button', { name: 'Save this search' })).toBeNull()

  await undo()
  await waitFor(() => expect(rows()).toEqual([]))
  await redo()
  await waitFor(() => expect(rows()).toEqual(['Cats']))
  expect(await saved()).toMatchObject([{ search_id: search.search_id, icon: 'cat' }])
})

test('opens a search like a board, with its count, and goes back', async () => {
  await add('Cats', 'name:cat')
  await gallery.open()
  await waitFor(() => expect(gallery.countOn('Cats')).toBe('1'))
  await showsTiles('dog.png', 'cat.png', 'castle.png')
  await gallery.openBoard('Cats')
  await showsTiles('cat.png')
  await gallery.openBoard('All images')
  await showsTiles('dog.png', 'cat.png', 'castle.png')
  expect(window.location.search).toBe('')
  window.history.back()
  await showsTiles('cat.png')
})

test('keeps the order of each search @long', async () => {
  await add('Animals', 'name:cat OR name:dog')
  await gallery.open()
  await gallery.openBoard('Animals')
  await showsTiles('dog.png', 'cat.png')
  await gallery.sort('Name')
  await showsTiles('cat.png', 'dog.png')
  await gallery.openBoard('All images')
  await showsTiles('dog.png', 'cat.png', 'castle.png')
  await gallery.openBoard('Animals')
  await showsTiles('cat.png', 'dog.png')
})

test('offers to update a search whose query was edited', async () => {
  const { search_id } = await add('Cats', 'name:cat')
  await gallery.open({ path: `/?search=${search_id}&q=name:cas` })
  await gallery.press('Update saved search')
  await gallery.toast(/^Updated/)
  expect(await saved()).toMatchObject([{ query: 'name:cas' }])
  await waitFor(() =>
    expect(screen.queryByRole('button', { name: 'Update saved search' })).toBeNull(),
  )
  await gallery.undo()
  await expect.poll(saved).toMatchObject([{ query: 'name:cat' }])
})

test('renames by key @long', async () => {
  await add('Cats', 'name:cat')
  await gallery.open()
  ;(await gallery.board('Cats')).focus()
  await gallery.user.keyboard('{F2}')
  const name = await screen.findByRole('textbox', { name: 'Name' })
  await gallery.user.clear(name)
  await gallery.user.type(name, 'Kittens{Enter}')
  await waitFor(() => expect(rows()).toEqual(['Kittens']))
  await expect.poll(savedNames).toEqual(['Kittens'])
  await undo()
  await waitFor(() => expect(rows()).toEqual(['Cats']))
})

test('deletes by key, with Undo', async () => {
  await add('Kittens', 'name:cat')
  await gallery.open()
  ;(await gallery.board('Kittens')).focus()
  await gallery.user.keyboard('{Delete}')
  await waitFor(() => expect(rows()).toEqual([]))
  await expect.poll(savedNames).toEqual([])
  await gallery.toast(/^Deleted the saved search/)
  await gallery.undo()
  await waitFor(() => expect(rows()).toEqual(['Kittens']))
  await redo()
  await waitFor(() => expect(rows()).toEqual([]))
})

test('moves searches by key, also those without a position', async () => {
  await add('A', 'a', 'a0')
  await add('B', 'b')
  await add('C', 'c')
  await gallery.open()
  ;(await gallery.board('C')).focus()
  await gallery.user.keyboard('{Alt>}{ArrowUp}{/Alt}')
  await waitFor(() => expect(rows()).toEqual(['A', 'C', 'B']))
  await expect.poll(savedNames).toEqual(['A', 'C', 'B'])
  await gallery.user.keyboard('{Alt>}{ArrowUp}{/Alt}')
  await waitFor(() => expect(rows()).toEqual(['C', 'A', 'B']))
  await expect.poll(savedNames).toEqual(['C', 'A', 'B'])
  await undo()
  await waitFor(() => expect(rows()).toEqual(['A', 'C', 'B']))
})

test('folds, and then asks for no counts @long', async () => {
  await add('Cats', 'name:cat')
  await gallery.open()
  await waitFor(() => expect(gallery.countOn('Cats')).toBe('1'))
  const heading = section().getByRole('button', { name: 'Saved searches' })
  await gallery.user.click(heading)
  expect(rows()).toEqual([])
  const asked: string[] = []
  gallery.onRequest = ({ path }) => asked.push(path)
  await gallery.reload()
  await gallery.image('cat.png')
  await gallery.settled()
  expect(asked.filter((path) => path.includes('/counts'))).toEqual([])
  await gallery.user.click(section().getByRole('button', { name: 'Saved searches' }))
  await waitFor(() => expect(gallery.countOn('Cats')).toBe('1'))
})

test('counts again after a star @long', async () => {
  await add('Favourites', 'is:starred')
  await gallery.open()
  await waitFor(() => expect(gallery.countOn('Favourites')).toBe('0'))
  const tile = await gallery.image('cat.png')
  await gallery.user.hover(tile)
  fireEvent.click(within(tile).getByRole('button', { name: 'Star' }))
  await waitFor(() => expect(gallery.countOn('Favourites')).toBe('1'))
})

test('says that a search was deleted by others meanwhile', async () => {
  const { search_id } = await add('Cats', 'name:cat')
  await gallery.open()
  ;(await gallery.board('Cats')).focus()
  await gallery.api.client.searches.delete(search_id)
  await gallery.user.keyboard('{F2}')
  const name = await screen.findByRole('textbox', { name: 'Name' })
  await gallery.user.type(name, 'X')
  await gallery.user.click(screen.getByRole('button', { name: 'Save' }))
  await screen.findByText('This search was deleted meanwhile.')
  expect(await saved()).toEqual([])
})

test('keeps the dialog open if the server refuses or does not answer', async () => {
  await gallery.open({ path: '/?q=name:cat' })
  gallery.answer = ({ method, path }) =>
    method === 'POST' && path.endsWith('/searches')
      ? Response.json(
          { detail: 'At most 500 searches can be saved. Delete one first.' },
          { status: 409, headers: { 'x-refusal-code': 'too_many_searches' } },
        )
      : undefined
  await gallery.press('Save this search')
  await gallery.user.click(await screen.findByRole('button', { name: 'Save' }))
  await screen.findByText('At most 500 searches can be saved. Delete one first.')
  gallery.answer = () => undefined
  await gallery.user.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(rows()).toEqual(['name:cat']))
})

test('shows the change of another client', async () => {
  gallery.watchesQueue = true
  await gallery.open()
  await add('Cats', 'name:cat')
  await waitFor(() => expect(rows()).toEqual(['Cats']))
})

test('offers the commands of a search in its menu @long', async () => {
  await add('Cats', 'name:cat')
  await gallery.open()
  await gallery.chooseForBoard('Cats', 'Name and icon…')
  await screen.findByRole('dialog', { name: 'Name and icon' })
})

test('opens a saved search from the command palette @long', async () => {
  await add('Only cats', 'name:cat')
  await gallery.open()
  await waitFor(() => expect(rows()).toEqual(['Only cats']))
  await gallery.user.keyboard('{Control>}k{/Control}')
  await screen.findAllByRole('option')
  await gallery.user.keyboard('only saved')
  await waitFor(() =>
    expect(screen.getAllByRole('option')[0]?.textContent).toBe('Only catsSaved search'),
  )
  await gallery.user.keyboard('{Enter}')

  await showsTiles('cat.png')
  expect(window.location.search).toContain('q=name%3Acat')
})
