import { copyOf } from './fixtures/graphs.ts'
import { type StrippingProxy, startStrippingProxy } from './fixtures/stripping-proxy.ts'
import { test as base, expect } from './fixtures.ts'

const test = base.extend<{ below: StrippingProxy }>({
  below: async ({ server }, use) => {
    const proxy = await startStrippingProxy(server.url, '/gallery')
    await use(proxy)
    proxy.close()
  },
})
test.use({ serverFlags: ['--base-path', '/gallery'], serviceWorkers: 'allow' })

test('works below a path of a proxy: page, boards, uploads, events, service worker', async ({
  api,
  gallery,
  page,
  below,
}) => {
  const cat = await api.uploadImage('cat.png')
  const { boardId } = await api.createBoard('Portraits')
  const socket = page.waitForEvent('websocket')
  await page.goto(below.url)
  await expect(gallery.image('cat.png')).toBeVisible()
  expect(new URL((await socket).url()).pathname).toMatch(/^\/gallery\/ws/)

  await gallery.openBoard('Portraits')
  await gallery.dropFiles(['dog.png'], { on: 'page' })
  await expect(gallery.image('dog.png')).toBeVisible()
  expect(page.url()).toBe(`${below.url}?board=${boardId}`)

  await api.client.queue.enqueue({ graph: copyOf(cat, boardId) })
  await expect(gallery.boardCount('Portraits')).toHaveText('2', { timeout: 60_000 })

  await page.reload()
  await expect(gallery.image('dog.png')).toBeVisible()
  const worker = await page.evaluate(async () => (await navigator.serviceWorker.ready).scope)
  expect(worker).toBe(below.url)
  expect(below.missed.filter((path) => path !== '/favicon.ico')).toEqual([])
})

test('shows the reference of the API, sends its requests below the path, and asks no other host @long', async ({
  page,
  below,
}) => {
  const hosts = new Set<string>()
  page.on('request', (request) => {
    if (/^https?:/.test(request.url())) hosts.add(new URL(request.url()).host)
  })
  await page.goto(`${below.url}docs#/app`)
  await page.getByRole('button', { name: /^GET \/api\/v1\/app\/version/ }).click()
  await page.getByRole('button', { name: 'Try it out' }).click()
  await page.getByRole('button', { name: 'Execute' }).click()

  await expect(page.getByText(`${below.url}api/v1/app/version`, { exact: true })).toBeVisible()
  const answer = page.locator('.live-responses-table')
  await expect(answer.getByRole('cell', { name: '200' })).toBeVisible()
  expect([...hosts]).toEqual([new URL(below.url).host])
  expect(below.missed).toEqual([])
})
