import { screen, waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, test } from 'vitest'
import { GalleryInWindow } from '#integration/gallery-in-window.ts'

const startGallery = GalleryInWindow.reusingServer()
let gallery: GalleryInWindow
beforeEach(async () => {
  gallery = await startGallery()
  const { searches, tags } = gallery.api.client
  for (const { search_id } of await searches.list()) await searches.delete(search_id)
  for (const { name } of await tags.list()) await tags.delete(name)
})

const nameField = () => screen.findByRole<HTMLInputElement>('textbox', { name: 'Name' })

describe('while its dialog loads, a name is typed', () => {
  test('for a search', async () => {
    await gallery.api.uploadImages(['cat.png'])
    await gallery.open({ path: '/?q=name:cat' })
    await gallery.image('cat.png')

    await gallery.user.keyboard('{Shift>}B{/Shift}Black c')
    await nameField()
    await gallery.user.keyboard('ats{Enter}')

    await gallery.toast('Saved “Black cats”')
    expect(await gallery.api.client.searches.list()).toMatchObject([{ name: 'Black cats' }])
  })

  test('for a group, and entered', async () => {
    await gallery.api.createBoard('Clients/Acme')
    await gallery.open()
    const group = await screen.findByRole('button', { name: 'Clients, 1 board' })
    group.focus()

    await gallery.user.keyboard('{F2}Customers{Enter}')

    await gallery.board('Customers/Acme')
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  test('for a tag, and withdrawn', async () => {
    const { image_name } = await gallery.api.uploadImage('cat.png')
    await gallery.api.client.images.tag([image_name], { add: ['cat'] })
    await gallery.open()
    await gallery.press('Tags')
    const row = await screen.findByRole('link', { name: 'cat' })
    row.focus()

    await gallery.user.keyboard('{F2}do')
    expect((await nameField()).value).toBe('do')
    await gallery.user.keyboard('g{Escape}')
    await waitFor(() => expect(document.activeElement).toBe(row))
    await gallery.user.keyboard('{F2}')

    const { value, selectionStart, selectionEnd } = await nameField()
    expect({ value, selectionStart, selectionEnd }).toEqual({
      value: 'cat',
      selectionStart: 0,
      selectionEnd: 3,
    })
    await gallery.user.keyboard('{Escape}')
    await waitFor(() => expect(document.activeElement).toBe(row))
  })
})
