import { screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { GalleryInWindow } from '#integration/gallery-in-window.ts'

const startGallery = GalleryInWindow.reusingServer()
const action = { aspect: 'board', wanted: 'none', count: 5_000, boardName: 'Assets' } as const
const reason = 'It no longer exists.'

/** Lists a change, as if the server took a while. */
async function listChange() {
  const gallery = await startGallery()
  await gallery.open()
  const { bulk, worker } = gallery.page.outbox
  const undo = vi.fn()
  const retry = vi.fn()
  const run = bulk.begin({ action, undo })
  run.attach(1, retry)
  const card = within(await screen.findByRole('region', { name: 'Moving 5,000 images to Assets' }))
  return { gallery, run, card, undo, retry, worker }
}

/** Returns the texts that a screen reader announces. */
const announced = () =>
  [...document.querySelectorAll('[aria-live=polite].sr-only')].map(({ textContent }) => textContent)

test('pauses, resumes and cancels a change with the keyboard', async () => {
  const { gallery, run, card, worker } = await listChange()
  const calls = (['pause', 'resume', 'cancel'] as const).map((name) => vi.spyOn(worker, name))
  run.partDone(3_200)
  await card.findByText('3,200 of 5,000')
  await waitFor(() => expect(announced()).toContain('Moving 5,000 images to Assets'))

  card.getByRole('button', { name: 'Pause' }).focus()
  await gallery.user.keyboard('{Enter}')
  await card.findByRole('heading', { name: 'Paused: moving 5,000 images to Assets' })
  card.getByRole('button', { name: 'Resume' }).focus()
  await gallery.user.keyboard('{Enter}')
  await card.findByRole('button', { name: 'Pause' })
  card.getByRole('button', { name: 'Cancel' }).focus()
  await gallery.user.keyboard('{Enter}')

  for (const call of calls) expect(call).toHaveBeenCalledExactlyOnceWith(1)
})

test('announces the result, and offers Retry, Undo and Dismiss', async () => {
  const { gallery, run, card, retry } = await listChange()
  const done = Array.from({ length: 4_998 }, (_, at) => `${at}.png`)
  const failed = ['x.png', 'y.png'].map((name) => ({ name, reason }))

  run.end(1, { done, failed })

  await card.findByRole('heading', { name: '4,998 moved, 2 failed' })
  await waitFor(() => expect(announced()).toContain('4,998 moved, 2 failed'))
  card.getByRole('button', { name: 'Undo' })
  await gallery.user.click(card.getByRole('button', { name: 'Retry 2' }))
  expect(retry).toHaveBeenCalledExactlyOnceWith(['x.png', 'y.png'])
  run.attach(2, retry)
  run.end(2, { done: ['x.png'], failed: failed.slice(1) })
  await card.findByRole('heading', { name: '4,999 moved, 1 failed' })
  await gallery.user.click(card.getByRole('button', { name: 'Dismiss' }))

  expect(screen.queryByRole('region', { name: 'Moving 5,000 images to Assets' })).toBeNull()
})

test('leaves the list without failures, and with Undo @long', async () => {
  const { gallery, run, undo } = await listChange()
  const other = gallery.page.outbox.bulk.begin({ action: { ...action, count: 300 }, undo })
  other.end(1, { done: ['a.png'], failed: [{ name: 'b.png', reason }] })
  run.end(1, { done: ['c.png'], failed: [] })

  const card = within(await screen.findByRole('region', { name: 'Moving 300 images to Assets' }))
  expect(screen.queryByRole('region', { name: 'Moving 5,000 images to Assets' })).toBeNull()
  await gallery.user.click(card.getByRole('button', { name: 'Undo' }))

  expect(undo).toHaveBeenCalledOnce()
  expect(screen.queryByRole('region', { name: 'Moving 300 images to Assets' })).toBeNull()
})
