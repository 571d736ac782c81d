import { screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { GalleryInWindow } from '#integration/gallery-in-window.ts'

test('says that an unknown address has nothing, and leads back to all images', async () => {
  const gallery = await GalleryInWindow.start()
  await gallery.open({ path: '/nowhere' })
  await screen.findByRole('heading', { name: 'There is nothing here' })
  expect(screen.getByText('/nowhere')).toBeTruthy()

  await userEvent.click(screen.getByRole('button', { name: 'Show all images' }))

  await screen.findByRole('button', { name: 'Choose files' })
  expect(window.location.pathname).toBe('/')
})
