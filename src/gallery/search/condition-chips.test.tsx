import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { GalleryInWindow } from '#integration/gallery-in-window.ts'

const startGallery = GalleryInWindow.reusingServer()
let gallery: GalleryInWindow
beforeEach(async () => {
  gallery = await startGallery()
  await gallery.api.uploadImage('wide.png', { widthPx: 96, heightPx: 64 })
  await gallery.api.uploadImage('high.png', { widthPx: 64, heightPx: 96 })
})

const openSearch = (query: string) =>
  gallery.open({ path: `/?${new URLSearchParams({ q: query })}` })

const chips = async () => within(await screen.findByRole('list', { name: 'Conditions' }))

const chipNames = async () =>
  (await chips()).getAllByRole('listitem').map(({ textContent }) => textContent)

const showsTiles = (...names: string[]) => waitFor(() => expect(gallery.tiles()).toEqual(names))

const chooseOnChip = async (chip: string, item: string) => {
  await gallery.user.click((await chips()).getByRole('button', { name: chip }))
  await gallery.user.click(await screen.findByRole('menuitem', { name: item }))
}

test('shows a chip for each condition, and removes one', async () => {
  await openSearch('png shape:portrait -is:starred')
  expect(await chipNames()).toEqual(['Shape: portrait', 'Not starred'])
  await showsTiles('high.png')

  await gallery.press('Remove Shape: portrait')

  await showsTiles('high.png', 'wide.png')
  expect(await chipNames()).toEqual(['Not starred'])
})

test('excludes a condition, and includes it again', async () => {
  await openSearch('shape:portrait')

  await chooseOnChip('Shape: portrait', 'Exclude')
  await showsTiles('wide.png')
  await chooseOnChip('Not Shape: portrait', 'Include')

  await showsTiles('high.png')
})

test('selects the text of a condition in the field for editing', async () => {
  await openSearch('png shape:portrait')

  await chooseOnChip('Shape: portrait', 'Edit')

  const input = screen.getByLabelText<HTMLInputElement>('Search images')
  await waitFor(() => expect(input.value.slice(input.selectionStart ?? 0)).toBe('shape:portrait'))
  expect(document.activeElement).toBe(input)
})

test('finds more like an image by its menu, with the most alike first', async () => {
  const [high, wide] = await gallery.api.imagesOn()
  await gallery.open()
  await gallery.user.pointer({ keys: '[MouseRight]', target: await gallery.image('wide.png') })
  await gallery.user.click(await screen.findByRole('menuitem', { name: /^More like this/ }))

  await waitFor(async () => expect(await chipNames()).toEqual(['Like: wide.png']))
  expect(window.location.search).toContain(`q=like%3A${wide?.image_name}`)
  expect(window.location.search).toContain('sort=match')
  await waitFor(() => expect(gallery.tiles()).toContain('wide.png'))

  await gallery.press('Remove Like: wide.png')
  await showsTiles('high.png', 'wide.png')
  expect(window.location.search).toBe('')

  await openSearch(`like:parameters:${high?.image_name} color:orange`)
  await waitFor(async () =>
    expect(await chipNames()).toEqual(['Parameters like: high.png', 'Color: orange']),
  )
})

test('finds more like an image by key @long', async () => {
  await gallery.open()
  await gallery.user.click(await gallery.image('wide.png'))
  await gallery.user.keyboard('{Shift>}L{/Shift}')

  await waitFor(async () => expect(await chipNames()).toEqual(['Like: wide.png']))
})

test('names an image that is gone as it was typed @long', async () => {
  await openSearch('like:gone.png')

  await waitFor(async () => expect(await chipNames()).toEqual(['Like: gone.png']))
})

test('shows no chips for words', async () => {
  await openSearch('png "wide" -neon')
  await gallery.settled()

  expect(screen.queryByRole('list', { name: 'Conditions' })).toBeNull()
})

test('says which condition to remove if nothing matches', async () => {
  await openSearch('shape:portrait is:starred')

  await screen.findByText('No image matches')
  await gallery.press('Without starred: 1')

  await showsTiles('high.png')
})
