import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { GalleryInWindow } from '#integration/gallery-in-window.ts'
import { drawClip } from '#testing/library/draw-clip.ts'

const startGallery = GalleryInWindow.reusingServer()
let gallery: GalleryInWindow
beforeEach(async () => {
  gallery = await startGallery()
})

test('creates a board with the typed name', async () => {
  await gallery.open()

  await gallery.press('New board')
  expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Board name' }))
  await gallery.user.keyboard('Portraits{Enter}')

  await gallery.board('Portraits')
  await expect.poll(() => gallery.api.boardNames()).toEqual(['Portraits'])
})

test('allows naming a second board before the server has created the first @long', async () => {
  await gallery.open()
  const isNamingAgain = Promise.withResolvers<void>()
  gallery.onRequest = ({ path }) => path.includes('board_name=Castles') && isNamingAgain.promise
  await gallery.press('New board')
  await gallery.user.keyboard('Castles{Enter}')
  await gallery.board('Castles')

  await gallery.press('New board')
  isNamingAgain.resolve()
  await screen.findByRole('button', { name: 'Options for Castles' })
  await gallery.user.keyboard('Forests{Enter}')

  await gallery.board('Forests')
  await expect.poll(() => gallery.api.boardNames()).toEqual(['Forests', 'Castles'])
})

test('opens a new board once the server has created it', async () => {
  await gallery.open()
  const isAnswered = Promise.withResolvers<void>()
  gallery.onRequest = ({ path }) => path.includes('board_name=Castles') && isAnswered.promise
  await gallery.press('New board')
  await gallery.user.keyboard('Castles{Enter}')
  await gallery.user.click(await gallery.board('Castles'))
  isAnswered.resolve()

  await expect.poll(() => gallery.api.boardNames()).toEqual(['Castles'])
  const [board] = await gallery.api.client.boardOperations.list({})
  await waitFor(() => expect(window.location.search).toContain(`board=${board?.board_id}`))
  expect(screen.queryByText('Board not found')).toBeNull()
})

test('shows the menu of the row whose button is pressed, and closes it on Esc', async () => {
  for (const name of ['Clients/Castles', 'Portraits']) await gallery.api.createBoard(name)
  await gallery.open()
  await gallery.press('Options for Clients')
  await screen.findByRole('menuitem', { name: 'New board here' })
  await gallery.user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('menu')).toBeNull())
  const button = screen.getByRole('button', { name: 'Options for Portraits' })
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Options for Clients')

  await gallery.user.click(button)

  expect(await screen.findByRole('menuitem', { name: 'Pin to the top' })).toBeDefined()
  expect(screen.queryByRole('menuitem', { name: 'New board here' })).toBeNull()
  expect(button.getAttribute('aria-expanded')).toBe('true')
})

test('creates no board on Esc', async () => {
  await gallery.open()

  await gallery.press('New board')
  await gallery.user.keyboard('Portraits{Escape}')

  expect(screen.queryByRole('textbox', { name: 'Board name' })).toBeNull()
  expect(gallery.hasBoard('Portraits')).toBe(false)
  expect(await gallery.api.boardNames()).toEqual([])
})

test('renames a board in the list', async () => {
  await gallery.api.createBoard('Portraits')
  await gallery.open()

  await gallery.chooseForBoard('Portraits', 'Rename')
  await screen.findByRole('textbox', { name: 'Board name' })
  await gallery.user.keyboard('Faces{Enter}')

  await gallery.board('Faces')
  await expect.poll(() => gallery.api.boardNames()).toEqual(['Faces'])
})

test('shows the image counts of All images, Assets and each board', async () => {
  await gallery.api.createBoard('Portraits')
  await gallery.api.uploadImages(['cat.png', 'dog.png'], { board: 'Portraits' })
  await gallery.api.uploadImage('fox.png')

  await gallery.open()

  const counts = () => ['All images', 'Assets', 'Portraits'].map((name) => gallery.countOn(name))
  await waitFor(() => expect(counts()).toEqual(['3', '1', '2']))
})

test('counts and names images, videos, or both', async () => {
  const { boardId } = await gallery.api.createBoard('Clips')
  const { boardId: mixedId } = await gallery.api.createBoard('Mixed')
  const bytes = new Blob([await drawClip()])
  const clip = { bytes, fileName: 'boat.mp4' }
  await gallery.api.client.videos.upload(clip, { boardId })
  await gallery.api.client.videos.upload(clip, { boardId: mixedId })
  await gallery.api.uploadImage('cat.png', { board: 'Mixed' })
  await gallery.open()

  await gallery.user.click(await gallery.board('Clips'))
  await screen.findByText('1 video')
  const tile = await screen.findByRole('gridcell', { name: /^boat\.mp4, / })
  expect(tile.getAttribute('aria-description')).toBe('Video, 0:01')
  await gallery.user.click(await gallery.board('Mixed'))
  await screen.findByText('2 items')
  expect(gallery.countOn('All images')).toBe('3')
})

test('uses the newest image of a board as its cover', async () => {
  await gallery.api.createBoard('Portraits')
  const { thumbnail_url } = await gallery.api.uploadImage('cat.png', { board: 'Portraits' })

  await gallery.open()

  const cover = (await gallery.board('Portraits')).querySelector('img')
  expect(cover?.getAttribute('src')).toContain(thumbnail_url)
})

test('makes a video the cover of its board, with Undo @long', async () => {
  const { boardId } = await gallery.api.createBoard('Portraits')
  const bytes = new Blob([await drawClip()])
  const clip = { bytes, fileName: 'boat.mp4' }
  const { video_name } = await gallery.api.client.videos.upload(clip, { boardId })
  const { image_name } = await gallery.api.uploadImage('cat.png', { board: 'Portraits' })
  await gallery.open({ board: 'Portraits' })
  const cover = async () => (await gallery.board('Portraits')).querySelector('img')?.src
  expect(await cover()).toContain(image_name)

  await gallery.select('boat.mp4')
  await gallery.user.keyboard('b')

  await gallery.toast(/Changed the cover of/)
  expect(await cover()).toContain(video_name)
  await expect
    .poll(async () => (await gallery.api.client.boardOperations.get(boardId)).cover_video_name)
    .toBe(video_name)
  await gallery.undo()
  await waitFor(async () => expect(await cover()).toContain(image_name))
})

test('shows only the images of the opened board', async () => {
  await gallery.api.createBoard('Portraits')
  await gallery.api.uploadImage('cat.png', { board: 'Portraits' })
  await gallery.api.uploadImage('fox.png')
  await gallery.open()
  await gallery.image('fox.png')

  await gallery.openBoard('Portraits')

  await waitFor(() => expect(gallery.tiles()).toEqual(['cat.png']))
  expect(screen.getByRole('heading', { level: 1, name: 'Portraits' })).toBeDefined()
})

test('keeps the images of a deleted board in Assets', async () => {
  await gallery.api.createBoard('Portraits')
  await gallery.api.uploadImage('cat.png', { board: 'Portraits' })
  await gallery.open({ board: 'Portraits' })

  await gallery.chooseForBoard('Portraits', 'Delete board…')
  const dialog = await screen.findByRole('dialog')
  expect(dialog.textContent).toContain('1 image')
  await gallery.press('Delete board, keep images')

  await waitFor(() => expect(gallery.hasBoard('Portraits')).toBe(false))
  await gallery.openBoard('Assets')
  await gallery.image('cat.png')
})

test('deletes images with their board only after a second decision', async () => {
  await gallery.api.createBoard('Portraits')
  await gallery.api.uploadImage('cat.png', { board: 'Portraits' })
  await gallery.open({ board: 'Portraits' })

  await gallery.chooseForBoard('Portraits', 'Delete board…')
  const dialog = within(await screen.findByRole('dialog'))
  expect(dialog.queryByRole('button', { name: 'Delete board and 1 image' })).toBeNull()
  await gallery.user.click(dialog.getByRole('checkbox', { name: 'Delete its images as well' }))
  await gallery.press('Delete board and 1 image')

  await waitFor(() => expect(gallery.hasBoard('Portraits')).toBe(false))
  await expect.poll(() => gallery.api.trashedNames()).toEqual(['cat.png'])
  await waitFor(() => expect(gallery.countOn('All images')).toBe('0'))
})

test('restores a deleted board with its images by Undo', async () => {
  await gallery.api.createBoard('Portraits')
  await gallery.api.uploadImage('cat.png', { board: 'Portraits' })
  await gallery.open({ board: 'Portraits' })
  await gallery.deleteBoard('Portraits')
  await waitFor(() => expect(gallery.hasBoard('Portraits')).toBe(false))

  await gallery.undo()

  await gallery.board('Portraits')
  await expect.poll(() => gallery.api.namesOn('Portraits')).toEqual(['cat.png'])
})

/** Deletes a board of two images, keeps the images, and waits for the server's answer. */
async function deletePortraits(): Promise<void> {
  await gallery.api.createBoard('Portraits')
  await gallery.api.uploadImages(['a.png', 'b.png'], { board: 'Portraits' })
  await gallery.open()
  const isAnswered = Promise.withResolvers<void>()
  let isDeleted = false
  gallery.onRequest = ({ method, path }) => {
    if (method === 'POST' && path.startsWith('/api/v1/trash/boards')) isDeleted = true
    // The page fetches the boards again after the answer.
    else if (isDeleted && path.startsWith('/api/v1/boards')) isAnswered.resolve()
  }
  await gallery.deleteBoard('Portraits')
  await isAnswered.promise
  await waitFor(() => expect(gallery.countOn('Assets')).toBe('2'))
}

test('takes the images out of Assets on Undo before the server answers @long', async () => {
  await deletePortraits()
  const answer = Promise.withResolvers<void>()
  gallery.onRequest = () => answer.promise

  await gallery.undo()

  await waitFor(() => expect(gallery.countOn('Portraits')).toBe('2'))
  expect(gallery.countOn('Assets')).toBe('0')
  answer.resolve()
  await expect.poll(() => gallery.api.namesOn('Portraits')).toEqual(['b.png', 'a.png'])
  expect(gallery.countOn('Assets')).toBe('0')
})

test('returns the images to Assets if the server cannot restore their board @long', async () => {
  await deletePortraits()
  const asked = Promise.withResolvers<void>()
  const answer = Promise.withResolvers<void>()
  gallery.onRequest = ({ path }) => {
    if (!path.startsWith('/api/v1/trash/restore')) return
    asked.resolve()
    return answer.promise
  }

  await gallery.undo()
  await asked.promise
  await waitFor(() => expect(gallery.countOn('Assets')).toBe('0'))
  await gallery.api.client.trash.empty()
  answer.resolve()

  await waitFor(() => expect(gallery.countOn('Assets')).toBe('2'))
  expect(gallery.hasBoard('Portraits')).toBe(false)
})

test('offers no rename or delete for Assets', async () => {
  await gallery.api.createBoard('Portraits')
  await gallery.open()

  await gallery.user.click(await screen.findByRole('button', { name: 'Options for Assets' }))

  await screen.findByRole('menuitem', { name: /^Empty Assets…/ })
  expect(screen.queryByRole('menuitem', { name: /Rename|Delete/ })).toBeNull()
})

test('filters boards by typed text, and sorts them by name', async () => {
  const others = [...'abcdefghijk'].map((letter) => `Zoo ${letter}`)
  for (const name of ['Board 2', 'Board 10', 'Castles', ...others]) {
    await gallery.api.createBoard(name)
  }
  await gallery.open()

  await gallery.press('Sort boards')
  await gallery.user.click(await screen.findByRole('menuitemradio', { name: 'Name' }))
  await waitFor(() => expect(screen.queryByRole('menu')).toBeNull())
  await gallery.user.type(await screen.findByRole('searchbox', { name: 'Filter boards' }), 'board')

  const names = () =>
    within(gallery.sidebar.getByRole('list'))
      .getAllByRole('link')
      .map((link) => link.textContent)
  await waitFor(() => expect(names()).toEqual(['Board 2', 'Board 10']))
})

test('opens the menu of a board by right click', async () => {
  await gallery.api.createBoard('Portraits')
  await gallery.open()

  await gallery.user.pointer({ keys: '[MouseRight]', target: await gallery.board('Portraits') })
  const items = await screen.findAllByRole('menuitem')
  expect(items.map((item) => item.textContent)).toEqual([
    'OpenEnter',
    'Open in a new tabCtrl+Enter',
    'Copy linkShift+L',
    'Upload to this board…B',
    'Download as zipNo images',
    'Download…No images',
    'RenameF2',
    'Add description…',
    'Pin to the topP',
    'ArchiveA',
    'Delete board…Del',
  ])
})

test.each([
  ['All images', ['OpenEnter', 'Open in a new tabCtrl+Enter', 'Copy link']],
  [
    'Assets',
    [
      'OpenEnter',
      'Open in a new tabCtrl+Enter',
      'Copy link',
      'Upload to Assets…',
      'Empty Assets…No images',
    ],
  ],
  ['Trash', ['OpenEnter', 'Open in a new tabCtrl+Enter', 'Copy link']],
])('opens the menu of %s by right click', async (name, wanted) => {
  await gallery.open()

  await gallery.user.pointer({ keys: '[MouseRight]', target: await gallery.board(name) })
  await waitFor(() =>
    expect(screen.getAllByRole('menuitem').map((item) => item.textContent)).toEqual(wanted),
  )
  await gallery.user.click(screen.getAllByRole('menuitem')[0] as HTMLElement)

  await waitFor(async () =>
    expect((await gallery.board(name)).getAttribute('aria-current')).toBe('page'),
  )
})

test('opens the menu of the focused board with Right', async () => {
  await gallery.api.createBoard('Portraits')
  await gallery.open()
  const link = await gallery.board('Portraits')
  link.focus()

  await gallery.user.keyboard('{ArrowRight}')
  await screen.findByRole('menuitem', { name: 'Archive' })
  await gallery.user.keyboard('{Escape}')

  await waitFor(() => expect(document.activeElement).toBe(link))
})

test('groups boards by their names, and remembers folded groups', async () => {
  const { api, user } = gallery
  for (const name of ['Clients/Acme', 'Clients/Beta', 'Sky']) await api.createBoard(name)
  await gallery.open()

  const group = await screen.findByRole('button', { name: 'Clients, 2 boards', expanded: true })
  await gallery.board('Clients/Acme')
  await user.click(group)
  await waitFor(() => expect(gallery.hasBoard('Clients/Acme')).toBe(false))
  expect(gallery.hasBoard('Sky')).toBe(true)

  await gallery.open()
  await screen.findByRole('button', { name: 'Clients, 2 boards', expanded: false })
  expect(gallery.hasBoard('Clients/Acme')).toBe(false)
})

test('folds groups with the arrow keys, and creates a board in a group', async () => {
  const { api, user } = gallery
  for (const name of ['Sky', 'Clients/Beta', 'Clients/Acme']) await api.createBoard(name)
  await gallery.open()
  const group = await screen.findByRole('button', { name: 'Clients, 2 boards' })

  ;(await gallery.board('Clients/Acme')).focus()
  await user.keyboard('{ArrowLeft}')
  expect(document.activeElement).toBe(group)
  await user.keyboard('{ArrowLeft}')
  await waitFor(() => expect(gallery.hasBoard('Clients/Acme')).toBe(false))
  await user.keyboard('{ArrowRight}')
  await gallery.board('Clients/Acme')

  await gallery.press('Options for Clients')
  await user.click(await screen.findByRole('menuitem', { name: 'New board here' }))
  await screen.findByPlaceholderText('Name in Clients')
  await user.keyboard('Gamma{Enter}')

  await gallery.board('Clients/Gamma')
  await expect.poll(() => api.boardNames()).toContain('Clients/Gamma')
})

test('unfolds the group of a board that is opened @long', async () => {
  const { api, user } = gallery
  for (const name of ['Clients/Acme', 'Clients/Beta']) await api.createBoard(name)
  await gallery.open()
  await user.click(await screen.findByRole('button', { name: 'Clients, 2 boards' }))
  await waitFor(() => expect(gallery.hasBoard('Clients/Acme')).toBe(false))

  const boards = await api.client.boardOperations.list({})
  const acme = boards.find(({ board_name }) => board_name === 'Clients/Acme')
  await gallery.open({ path: `/?board=${acme?.board_id}` })

  await gallery.board('Clients/Acme')
})
