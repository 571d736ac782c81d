import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { GalleryInWindow } from '#integration/gallery-in-window.ts'

test("shows only instructions without the server's token, or with a wrong one", async () => {
  const gallery = await GalleryInWindow.start({ token: 'open-sesame' })
  for (const path of ['/', '/?token=open-barley']) {
    await gallery.open({ path })

    await screen.findByRole('heading', { name: 'Open this gallery with its link' })
    expect(document.body.textContent).toContain('Open the link that the server printed')
    expect(screen.queryByRole('navigation', { name: 'Boards' })).toBeNull()
    expect((await fetch('/api/v1/boards/?all=true')).status).toBe(401)
  }
})
