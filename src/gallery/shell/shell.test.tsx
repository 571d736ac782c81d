import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { GalleryInWindow } from '#integration/gallery-in-window.ts'

const startGallery = GalleryInWindow.reusingServer()

/** Returns the texts that a screen reader announces. */
const announced = () =>
  [...document.querySelectorAll('[aria-live=polite].sr-only')].map(({ textContent }) => textContent)

test('announces waiting changes while the server cannot be reached', async () => {
  const gallery = await startGallery()
  await gallery.api.uploadImages(['a.png'])
  await gallery.open({ board: 'none' })
  await gallery.select('a.png')
  gallery.onRequest = ({ method }) => {
    if (method !== 'GET') throw new TypeError('Failed to fetch')
  }

  await gallery.user.keyboard('s')
  await waitFor(() => expect(announced()).toContain('1 change waiting'), { timeout: 20_000 })
  gallery.onRequest = () => undefined
  await gallery.press('Send now')

  await expect.poll(async () => (await gallery.api.imagesOn())[0]?.starred).toBe(true)
  await waitFor(() => expect(announced()).not.toContain('1 change waiting'))
})

test('shows the progress of a large board deletion in one toast, then Undo', async () => {
  const gallery = await startGallery()
  await gallery.open()
  const { emit } = gallery.page.outbox.events
  const board = { boardName: 'Portraits', count: 1, imageCount: 12_000 }
  const action = { aspect: 'board_trashed', wanted: 'with images', ...board } as const
  const undo = () => {}
  const messages = () => within(screen.getByRole('region', { name: /^Messages/ }))

  emit({ kind: 'in parts', action, doneCount: 0, isListed: false, undo })
  await gallery.toast('0 of 12,000 images')
  emit({ kind: 'in parts', action, doneCount: 5_000, isListed: false, undo })
  await gallery.toast('5,000 of 12,000 images')
  expect(messages().queryByText('0 of 12,000 images')).toBeNull()
  expect(messages().getAllByRole('button', { name: 'Cancel' })).toHaveLength(1)

  emit({ kind: 'taken', action, undo })
  await gallery.toast('with 12,000 images')
  expect(messages().queryByText('5,000 of 12,000 images')).toBeNull()
  expect(messages().getAllByRole('button', { name: 'Undo' })).toHaveLength(1)
})

test('shows the progress of an Undo in its toast', async () => {
  const gallery = await startGallery()
  await gallery.open()
  const { emit } = gallery.page.outbox.events
  const action = { aspect: 'trashed', wanted: true, count: 12_000 } as const
  const messages = () => within(screen.getByRole('region', { name: /^Messages/ }))
  const back = { kind: 'coming back', action, count: 12_000 } as const

  emit({ kind: 'taken', action, undo: () => {} })
  await gallery.toast('Moved 12,000 images to the trash')
  emit({ ...back, doneCount: 0, isOver: false })
  emit({ ...back, doneCount: 5_000, isOver: false })
  await gallery.toast('5,000 of 12,000 images')
  emit({ ...back, doneCount: 12_000, isOver: true })

  await gallery.toast('12,000 of 12,000 images')
  await waitFor(() => expect(messages().queryByText('Moved 12,000 images to the trash')).toBeNull())
  expect(messages().getAllByText('Undid: moved 12,000 images to the trash')).toHaveLength(1)
})

test("lists the viewer's shortcuts before the viewer was opened", async () => {
  const gallery = await startGallery()
  await gallery.open()

  await gallery.press('Keyboard shortcuts')

  const dialog = within(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' }))
  await dialog.findByRole('heading', { name: 'Image viewer' })
  // Also a key of comparisons.
  expect(await dialog.findAllByText('Actual size')).toHaveLength(2)
})

/** Presses a key as a keyboard layout sends it: the character differs from the position. */
const press = (init: KeyboardEventInit) =>
  document.activeElement?.dispatchEvent(
    new KeyboardEvent('keydown', { ...init, bubbles: true, cancelable: true }),
  )

const isSelected = (count: string) =>
  waitFor(() =>
    expect(screen.getByRole('toolbar', { name: 'Selection' }).textContent).toContain(count),
  )

test('supports shortcuts on a Russian and a German keyboard', async () => {
  const gallery = await startGallery()
  await gallery.api.uploadImages(['a.png', 'b.png', 'c.png'])
  await gallery.open({ board: 'none' })
  await gallery.select('a.png')

  press({ key: 'ы', code: 'KeyS' })
  await waitFor(() => gallery.selectionBar.getByRole('button', { name: 'Unstar' }))
  press({ key: 'ф', code: 'KeyA', ctrlKey: true })
  await isSelected('3 images')
  press({ key: '/', code: 'Digit7', shiftKey: true })

  await waitFor(() =>
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Search images'),
  )
})

test('can disable single-key shortcuts', async () => {
  const gallery = await startGallery()
  await gallery.api.uploadImages(['a.png', 'b.png', 'c.png'])
  await gallery.open({ board: 'none' })
  await gallery.image('a.png')
  press({ key: '?', code: 'Slash', shiftKey: true })
  const dialog = within(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' }))
  await gallery.user.click(dialog.getByRole('checkbox', { name: /^Single-key shortcuts/ }))
  await gallery.user.click(dialog.getByRole('button', { name: 'Close' }))

  await gallery.select('a.png')
  await gallery.user.keyboard('s')
  await gallery.user.keyboard('{Control>}a{/Control}')

  await isSelected('3 images')
  gallery.selectionBar.getByRole('button', { name: 'Star' })
})
