import { act, screen, waitFor, within } from '@testing-library/react'
import { createStore, keys, set } from 'idb-keyval'
import { beforeEach, expect, test } from 'vitest'
import { GalleryInWindow } from '#integration/gallery-in-window.ts'

const startGallery = GalleryInWindow.reusingServer()
let gallery: GalleryInWindow
/** Shares files as the service worker does. */
let share: (key: string, ...names: readonly string[]) => Promise<void>
let waitingShares: () => Promise<string[]>
beforeEach(async () => {
  gallery = await startGallery()
  await gallery.api.createBoard('Summer')
  const store = createStore('tessera-shared', 'shares')
  share = (key, ...names) =>
    set(
      key,
      names.map((name) => new File(['bytes'], name, { type: 'image/png' })),
      store,
    )
  waitingShares = () => keys<string>(store)
})

const dialog = () => screen.findByRole('dialog', { name: /shared/ })
const noDialog = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())

/** Returns the files of all uploads with their targets. */
const uploads = (): string[] =>
  gallery.page.uploads.store
    .current()
    .uploads.map(({ fileName, target }) => `${fileName} to ${target.label}`)

test('adds the files of all shares to the chosen board', async () => {
  await share('1', 'a.png', '<b>.png')
  await share('2', 'c.png')
  await gallery.open({ path: '/?shared=stored&board=none' })

  expect(within(await dialog()).getByText('Add 3 shared images?')).toBeTruthy()
  expect(window.location.search).toBe('?board=none')
  expect(screen.getAllByRole('img').map((image) => image.getAttribute('alt'))).toEqual([
    'a.png',
    '<b>.png',
    'c.png',
  ])
  await gallery.press('Add to Assets')
  await gallery.user.type(await screen.findByPlaceholderText('Add 3 images to…'), 'Sum{Enter}')
  await screen.findByRole('button', { name: 'Add to Summer' })
  expect(uploads()).toEqual([])
  // happy-dom does not send files.
  act(() => gallery.page.uploads.pause())
  await gallery.press('Add')

  await noDialog()
  await expect.poll(uploads).toEqual(['a.png to Summer', '<b>.png to Summer', 'c.png to Summer'])
  expect(await waitingShares()).toEqual([])
})

test('asks at each start until the files are added or discarded', async () => {
  await share('1', 'a.png')
  await gallery.open()
  await dialog()
  await gallery.user.keyboard('{Escape}')
  await noDialog()
  expect(await waitingShares()).toEqual(['1'])

  await gallery.reload()
  await dialog()
  await gallery.press('Discard')

  await noDialog()
  await expect.poll(waitingShares).toEqual([])
  await gallery.reload()
  await gallery.board('Summer')
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(uploads()).toEqual([])
})

test('explains a share that was too large, with and without waiting files', async () => {
  await share('1', 'a.png')
  await gallery.open({ path: '/?shared=too-much' })
  expect((await screen.findByRole('alert')).textContent).toMatch(/200 files and 512 MiB/)
  await gallery.press('Discard')
  await noDialog()

  await gallery.open({ path: '/?shared=too-much' })
  await screen.findByRole('dialog', { name: 'Nothing was shared' })
  await gallery.press('Close')
  await noDialog()
})

test('shows nothing for a link with an unknown outcome', async () => {
  await gallery.open({ path: '/?shared=%3Cscript%3E' })

  await gallery.board('Summer')
  expect(window.location.search).toBe('')
  expect(screen.queryByRole('dialog')).toBeNull()
})
