import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { GalleryInWindow } from '#integration/gallery-in-window.ts'
import { fillLibrary } from '#testing/library/fill-library.ts'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'

const startGallery = GalleryInWindow.reusingServer()
let gallery: GalleryInWindow
beforeEach(async () => {
  gallery = await startGallery()
  gallery.watchesQueue = true
})

/** Returns the names of images on a board, or in Assets by default, newest first. */
const namesOn = async (board?: string) =>
  (await gallery.api.imagesOn(board)).map(({ image_name }) => image_name)

test('shows what another client adds, stars, moves and deletes, without the focus', async () => {
  const { api } = gallery
  await api.createBoard('Portraits')
  const { boardId: faces } = await api.createBoard('Faces')
  await api.uploadImages(['a.png', 'b.png'], { board: 'Portraits' })
  await gallery.open({ board: 'Portraits' })
  await waitFor(() => expect(gallery.tiles()).toHaveLength(2))

  await api.uploadImages(['c.png'], { board: 'Portraits' })
  await waitFor(() => expect(gallery.tiles()).toEqual(['c.png', 'b.png', 'a.png']))
  await waitFor(() => expect(gallery.countOn('Portraits')).toBe('3'))

  const [c = '', b = ''] = await namesOn('Portraits')
  await api.client.images.star([c])
  const starred = await gallery.image('c.png')
  await gallery.user.hover(starred)
  await within(starred).findByRole('button', { name: 'Unstar' })

  await api.client.images.move([b], faces)
  await waitFor(() => expect(gallery.tiles()).toEqual(['c.png', 'a.png']))
  await waitFor(() => expect(gallery.countOn('Faces')).toBe('1'))

  await api.client.trash.trashImages([c])
  await waitFor(() => expect(gallery.tiles()).toEqual(['a.png']))
})

test('shows boards that another client makes, renames and deletes', async () => {
  const { api } = gallery
  await gallery.open()
  await gallery.board('All images')

  const { boardId } = await api.createBoard('Portraits')
  await waitFor(() => expect(gallery.hasBoard('Portraits')).toBe(true))
  await api.client.boardOperations.update(boardId, { board_name: 'Faces' })
  await waitFor(() => expect(gallery.hasBoard('Faces')).toBe(true))
  await api.client.boardOperations.delete(boardId)
  await waitFor(() => expect(gallery.hasBoard('Faces')).toBe(false))
})

/** Counts the questions of the page for changes. */
const countQuestions = () => {
  const counter = { questions: 0 }
  gallery.onRequest = ({ path }) => {
    if (path.startsWith('/api/v1/changes')) counter.questions += 1
  }
  return counter
}

test('asks nothing after its own changes, and once after a change of another client', async () => {
  const { api } = gallery
  await api.uploadImages(['a.png'])
  await gallery.open()
  const tile = await gallery.image('a.png')
  await api.createBoard('Portraits')
  await waitFor(() => expect(gallery.hasBoard('Portraits')).toBe(true))
  await gallery.settled()
  const counter = countQuestions()

  await gallery.user.hover(tile)
  fireEvent.click(within(tile).getByRole('button', { name: 'Star' }))
  await expect.poll(() => api.imagesOn()).toMatchObject([{ starred: true }])
  await api.createBoard('Faces')
  await waitFor(() => expect(gallery.hasBoard('Faces')).toBe(true))

  expect(counter.questions).toBe(1)
})

test('asks nothing while it is hidden, and catches up when it is seen', async () => {
  const { api } = gallery
  await gallery.open()
  await api.createBoard('Portraits')
  await waitFor(() => expect(gallery.hasBoard('Portraits')).toBe(true))
  await gallery.settled()
  const counter = countQuestions()
  const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
  onTestFinished(() => visibility.mockRestore())

  const heard = Promise.withResolvers<unknown>()
  onTestFinished(gallery.page.events.on('library_changed', heard.resolve))
  await api.createBoard('Faces')
  await heard.promise
  expect(counter.questions).toBe(0)
  visibility.mockReturnValue('visible')
  document.dispatchEvent(new Event('visibilitychange'))

  await waitFor(() => expect(counter.questions).toBe(1))
  await waitFor(() => expect(gallery.hasBoard('Faces')).toBe(true))
})

test('reads everything again if the server no longer knows the state, as after a restore', async () => {
  const { api } = gallery
  await gallery.open()
  await api.createBoard('Portraits')
  await waitFor(() => expect(gallery.hasBoard('Portraits')).toBe(true))
  const refusal = { status: 410, headers: { 'x-refusal-code': 'state_unknown' } }
  gallery.answer = ({ path }) =>
    path.startsWith('/api/v1/changes?since') ? new Response('{}', refusal) : undefined

  await api.createBoard('Faces')

  await waitFor(() => expect(gallery.hasBoard('Faces')).toBe(true))
})

test('says why updates are slow if the event stream never opens', async () => {
  await gallery.open()
  const now = Date.now()
  const state = { phase: 'lost', lostSince: now - 10_000, retryAt: now + 5_000 } as const
  gallery.page.events.stream.setState({ state, hasBeenOpen: false })

  const title = 'Changes of others appear after a few seconds.'
  await screen.findByText(title)
  expect(screen.getByRole('link', { name: 'Proxies' }).getAttribute('href')).toBe('help/proxy.html')
  await gallery.press('Dismiss')

  await waitFor(() => expect(screen.queryByText(title)).toBeNull())
})

test('Undo in an open toast leaves what another client has changed since @long', async () => {
  const { api } = gallery
  await api.createBoard('Mine')
  const { boardId: theirs } = await api.createBoard('Theirs')
  await api.uploadImages(['a.png', 'b.png'])
  await gallery.open()
  await gallery.image('a.png')
  const [b = '', a = ''] = await namesOn()
  const mine = await api.client.boardOperations.list()
  const boardId = mine.find(({ board_name }) => board_name === 'Mine')?.board_id ?? ''
  act(() => void gallery.page.outbox.move([a, b], boardId))
  await waitFor(async () => expect(await namesOn('Mine')).toHaveLength(2))
  const undo = await screen.findByRole('button', { name: 'Undo' })

  await api.client.images.move([a], theirs)
  await waitFor(() => expect(gallery.countOn('Theirs')).toBe('1'))
  expect(undo.isConnected).toBe(true)
  await gallery.user.click(undo)

  await waitFor(async () => expect(await namesOn()).toEqual([b]))
  expect(await namesOn('Theirs')).toEqual([a])
  await screen.findByText(/moved since/)
})

test('reads only what it shows after thousands of changes of another client @long', async () => {
  const dataFolder = await createTemporaryFolder()
  onTestFinished(() => removeFolder(dataFolder))
  const boards = [{ name: 'From', imageCount: 3_000 }]
  await fillLibrary(dataFolder, { imageCount: 3_000, pictureCount: 1, longestPx: 32, boards })
  gallery = await GalleryInWindow.start({ dataFolder })
  gallery.watchesQueue = true
  const { api } = gallery
  const { boardId: to } = await api.createBoard('To')
  const { boardId: opened } = await api.createBoard('Open')
  await api.uploadImage('a.png', { board: 'Open' })
  const names = await namesOn('From')
  await gallery.open({ board: 'Open' })
  await gallery.image('a.png')
  await gallery.settled()
  const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
  onTestFinished(() => visibility.mockRestore())
  const asked: string[] = []
  // The paths of other clients are whole addresses.
  gallery.onRequest = ({ path }) => path.startsWith('/') && asked.push(path)

  for (let start = 0; start < names.length; start += 100)
    await api.client.images.move(names.slice(start, start + 100), to)
  expect(asked).toEqual([])
  visibility.mockReturnValue('visible')
  document.dispatchEvent(new Event('visibilitychange'))

  await waitFor(() => expect(gallery.countOn('To')).toBe('3,000'))
  await gallery.settled()
  // A list without records is a count.
  const lists = asked.filter((path) => path.includes('/images/') && !path.includes('limit=0'))
  expect(lists.filter((path) => !path.includes(opened))).toEqual([])
  expect(asked.length).toBeLessThan(10)
})
