import type { Route } from '@playwright/test'
import { expect, test } from './fixtures.ts'

/** Starring uses the URL of a single image or a list of names. */
const STARRING = /\/api\/v1\/images\/(star|i\/[^/]+)$/
const MOVING = '**/api/v1/board_images/**'
const EVERYTHING = '**/api/**'

test.beforeEach(async ({ api }) => {
  await api.createBoard('Portraits')
  await api.uploadImages(['a.png', 'b.png'])
})

test('reverts a refused change, shows the reason and offers a retry', async ({
  api,
  gallery,
  page,
}) => {
  await gallery.open({ board: 'none' })
  await page.route(MOVING, (route) =>
    route.fulfill({ status: 507, json: { detail: 'The disk that holds the library is full.' } }),
  )

  await gallery.dragImage('a.png', { toBoard: 'Portraits' })
  await expect(gallery.toast('could not be moved')).toContainText('The disk')
  await expect(gallery.tiles).toHaveCount(2)
  await page.unroute(MOVING)
  await gallery.toast('could not be moved').getByRole('button', { name: 'Retry' }).click()

  await expect(gallery.tiles).toHaveCount(1)
  await expect.poll(() => api.namesOn('Portraits')).toEqual(['a.png'])
})

test('reports an unreachable server and sends changes when it returns', async ({
  api,
  gallery,
  page,
}) => {
  await page.clock.install()
  await gallery.open({ board: 'none' })
  await expect(gallery.tiles).toHaveCount(2)
  await page.route(EVERYTHING, (route) => route.abort())

  await gallery.star('a.png')
  await expect(page.getByRole('alert').filter({ hasText: 'does not answer' })).toBeVisible()
  await expect(gallery.image('a.png')).toBeVisible()
  const waiting = page.getByText(/^1 change waiting, \d+ s$/)
  await expect(waiting).toBeVisible()
  expect(await waiting.evaluate((line) => line.scrollWidth - line.clientWidth)).toBe(0)

  // With its clock paused, the page does not retry by itself. The clock cannot be paused at a past time.
  await page.clock.pauseAt(Date.now() + 60_000)
  await expect(page.getByText(/Trying again in \d+ s/)).toBeVisible()
  await page.unroute(EVERYTHING)
  await page.getByRole('button', { name: 'Try now' }).click()

  await expect(page.getByText('does not answer')).toBeHidden()
  await page.clock.resume()
  await expect.poll(async () => (await api.imagesOn()).some((image) => image.starred)).toBe(true)
})

test('shows a change before the server answers and sends it after a reload if necessary', async ({
  api,
  gallery,
  page,
}) => {
  const isStarred = async () => (await api.imagesOn()).some((image) => image.starred)
  const unstar = gallery.image('a.png').getByRole('button', { name: 'Unstar' })
  const held: Route[] = [] // never released
  await page.route(STARRING, (route) => void held.push(route))
  await gallery.open({ board: 'none' })

  await gallery.star('a.png')
  await expect(unstar).toBeAttached()
  await expect.poll(() => held.length).toBe(1)
  expect(await isStarred()).toBe(false)
  await page.unroute(STARRING)
  await page.reload() // ends the request that is still held

  await expect.poll(isStarred).toBe(true)
  await expect(unstar).toBeAttached()
})
