import { rename } from 'node:fs/promises'
import { screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { GalleryInWindow } from '#integration/gallery-in-window.ts'

const startGallery = GalleryInWindow.reusingServer()
let gallery: GalleryInWindow
beforeEach(async () => {
  gallery = await startGallery()
  gallery.watchesQueue = true
})

/** Answers like InvokeAI, which does not list changes. */
const answerLikeInvokeAI = () => {
  gallery.answer = ({ path }) =>
    path === '/api/v1/app/capabilities' ? new Response('{}', { status: 404 }) : undefined
}

/** Simulates that the window gets the focus again. It was visible all the time. */
const comeBack = () => window.dispatchEvent(new Event('focus'))

test('shows changes of others on the focus if the server lists none', async () => {
  const { api } = gallery
  answerLikeInvokeAI()
  const { boardId } = await api.createBoard('Portraits')
  await api.uploadImages(['a.png', 'b.png'], { board: 'Portraits' })
  await gallery.open({ board: 'Portraits' })
  await waitFor(() => expect(gallery.tiles()).toHaveLength(2))

  await api.client.boardOperations.update(boardId, { board_name: 'Faces' })
  await api.uploadImages(['c.png'], { board: 'Faces' })
  comeBack()

  await waitFor(() => expect(gallery.countOn('Faces')).toBe('3'))
  expect(gallery.hasBoard('Portraits')).toBe(false)
  await waitFor(() => expect(gallery.tiles()).toEqual(['c.png', 'b.png', 'a.png']))
})

test('shows new images after a few seconds if the server lists no changes @long', async () => {
  answerLikeInvokeAI()
  await gallery.api.uploadImages(['a.png'])
  await gallery.open()
  await waitFor(() => expect(gallery.tiles()).toHaveLength(1))
  const looks: string[] = []
  gallery.onRequest = ({ path }) => {
    if (path.includes('limit=1&')) looks.push(path)
  }
  await expect.poll(() => looks.length, { timeout: 8_000 }).toBeGreaterThan(0)
  await gallery.settled()

  await gallery.api.uploadImages(['b.png'])

  await waitFor(() => expect(gallery.tiles()).toEqual(['b.png', 'a.png']), { timeout: 8_000 })
})

test('shows images in the trash that were deleted elsewhere', async () => {
  const { api } = gallery
  await api.uploadImages(['a.png', 'b.png'])
  await gallery.open({ board: 'trash' })
  await screen.findByText('The trash is empty')
  await gallery.settled()

  const [name = ''] = (await api.imagesOn()).map(({ image_name }) => image_name)
  await api.client.trash.trashImages([name])
  comeBack()

  await waitFor(() => expect(gallery.tiles()).toHaveLength(1))
})

test('says that the data folder is away, and continues when it is back', async () => {
  const { dataFolder } = gallery.server
  await gallery.api.uploadImages(['a.png'])
  await gallery.open()
  await waitFor(() => expect(gallery.tiles()).toHaveLength(1))

  await rename(dataFolder, `${dataFolder}-elsewhere`)
  await expect.poll(async () => (await fetch('/api/v1/app/library')).status).toBe(503)
  await gallery.openBoard('Assets')
  await screen.findByText('The library does not answer.')
  screen.getAllByText(/^The data folder of the library is not there\./)
  await rename(`${dataFolder}-elsewhere`, dataFolder)
  await expect.poll(async () => (await fetch('/api/v1/app/library')).status).toBe(200)

  const banner = () => screen.queryByText('The library does not answer.')
  await waitFor(() => expect(banner()).toBeNull(), { timeout: 8_000 })
  await gallery.api.uploadImages(['b.png'])
  await waitFor(() => expect(gallery.tiles()).toHaveLength(2))
})

test('fetches the boards once for several focus events in a row', async () => {
  let isFirst = true
  let boardRequests = 0
  const answered = Promise.withResolvers<void>()
  answerLikeInvokeAI()
  await gallery.open()
  await gallery.board('All images')
  await waitFor(() => expect(gallery.countOn('All images')).toBe('0'))
  gallery.onRequest = ({ path }) => {
    if (!path.startsWith('/api/v1/boards/?')) return
    boardRequests += 1
    if (isFirst) answered.resolve()
    isFirst = false
  }

  for (let times = 0; times < 3; times++) comeBack()
  await answered.promise
  await gallery.api.createBoard('Portraits')
  comeBack()
  await gallery.board('Portraits')

  expect(boardRequests).toBeLessThanOrEqual(2)
})
