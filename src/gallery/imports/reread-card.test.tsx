import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { GalleryInWindow } from '#integration/gallery-in-window.ts'

const startGallery = GalleryInWindow.reusingServer()

test('shows how much metadata is read again, until all is up to date', async () => {
  const gallery = await startGallery()
  let answer: unknown = { done: 1_200, total: 12_400 }
  gallery.answer = ({ path }) =>
    path === '/api/v1/app/rereading' ? Response.json(answer) : undefined
  await gallery.open()

  const bar = await screen.findByRole('progressbar', {
    name: 'Reading the metadata of 12,400 images again',
  })
  expect(bar.getAttribute('aria-valuenow')).toBe('9')
  expect(screen.getByText('1,200 of 12,400, while nobody uses Tessera')).toBeTruthy()
  answer = null
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Metadata' })).toBeNull(), {
    timeout: 10_000,
  })
})
