import { screen } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { GalleryInWindow } from '#integration/gallery-in-window.ts'

let gallery: GalleryInWindow
beforeEach(async () => {
  gallery = await GalleryInWindow.start({ token: 'open-sesame' })
})

test.each(['/', '/?token=open-barley'])(
  "shows only instructions at %s without the server's token",
  async (path) => {
    await gallery.open({ path })

    await screen.findByRole('heading', { name: 'Open this gallery with its link' })
    expect(document.body.textContent).toContain('Open the link that the server printed')
    expect(screen.queryByRole('navigation', { name: 'Boards' })).toBeNull()
    expect((await fetch('/api/v1/boards/?all=true')).status).toBe(401)
  },
)
