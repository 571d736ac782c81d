import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { GalleryInWindow } from '#integration/gallery-in-window.ts'

const startGallery = GalleryInWindow.reusingServer()
let gallery: GalleryInWindow
beforeEach(async () => {
  gallery = await startGallery()
  gallery.watchesQueue = true
})

/** Returns the names of images on a board, newest first. */
const namesOn = async (board: string) =>
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
