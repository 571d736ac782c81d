import type { BrowserContext, Page, WebSocket } from '@playwright/test'
import { copyOf } from './fixtures/graphs.ts'
import { expect, test } from './fixtures.ts'

/** The event sockets that the tabs of a browser have open. */
class Sockets {
  readonly #open = new Map<WebSocket, Page>()

  watch(page: Page): Page {
    page.on('websocket', (socket) => {
      this.#open.set(socket, page)
      socket.on('close', () => this.#open.delete(socket))
    })
    page.on('close', () => {
      for (const [socket, owner] of this.#open) if (owner === page) this.#open.delete(socket)
    })
    return page
  }

  /** The tabs that own the sockets. */
  get owners(): Page[] {
    return [...this.#open.values()]
  }
}

/** Opens this many tabs at All images and waits until one of them receives events. */
async function openTabs(context: BrowserContext, sockets: Sockets, count: number): Promise<Page[]> {
  const tabs: Page[] = []
  for (let at = 0; at < count; at += 1) {
    const tab = sockets.watch(await context.newPage())
    await tab.goto('/')
    await expect(tab.getByRole('button', { name: 'Queue' })).toBeVisible()
    tabs.push(tab)
  }
  await expect.poll(() => sockets.owners.length).toBe(1)
  return tabs
}

const tilesOf = (tab: Page) => tab.getByRole('grid', { name: 'Images' }).getByRole('gridcell')

test('shares one socket between three tabs, and hands it over when its tab is closed', async ({
  api,
  context,
}) => {
  const cat = await api.uploadImage('cat.png')
  const sockets = new Sockets()
  const tabs = await openTabs(context, sockets, 3)

  await api.client.queue.enqueueOne({ graph: copyOf(cat) })
  for (const tab of tabs) await expect(tilesOf(tab)).toHaveCount(2)
  await expect.poll(() => sockets.owners.length).toBe(1)

  const [owner] = sockets.owners
  await owner?.close()
  const left = tabs.filter((tab) => tab !== owner)
  await expect.poll(() => sockets.owners.length).toBe(1)
  expect(left).toContain(sockets.owners[0])
  await api.client.queue.enqueueOne({ graph: copyOf(cat) })
  for (const tab of left) await expect(tilesOf(tab)).toHaveCount(3)
})

test('elects one tab without the Locks API, as on plain HTTP @long', async ({ api, context }) => {
  await context.addInitScript(() => {
    Object.defineProperty(Navigator.prototype, 'locks', { get: () => undefined })
    // All tabs wait equally long, so that several take over at the same time.
    Math.random = () => 0
  })
  const cat = await api.uploadImage('cat.png')
  const sockets = new Sockets()
  const tabs = await openTabs(context, sockets, 3)
  const [owner] = sockets.owners

  await owner?.close()
  await expect.poll(() => sockets.owners.length).toBe(1)

  await api.client.queue.enqueueOne({ graph: copyOf(cat) })
  for (const tab of tabs.filter((one) => one !== owner)) await expect(tilesOf(tab)).toHaveCount(2)
})

test('updates other tabs after a move with as few requests as necessary @long', async ({
  api,
  context,
}) => {
  const names = ['a.png', 'b.png', 'c.png']
  await api.uploadImages(names)
  await api.createBoard('Portraits')
  const sockets = new Sockets()
  const [first, second] = await openTabs(context, sockets, 2)
  if (!first || !second) throw new Error('There are not two tabs.')
  for (const tab of [first, second]) {
    await tab.goto('/?board=none')
    await expect(tilesOf(tab)).toHaveCount(3)
    await tab.waitForLoadState('networkidle')
  }
  const asked: string[] = []
  second.on('request', (request) => {
    if (request.url().includes('/images/?')) asked.push(request.url())
  })

  await tilesOf(first)
    .first()
    .click({ modifiers: ['ControlOrMeta'] })
  await first.keyboard.press('m')
  await first.getByRole('dialog').getByRole('combobox').fill('Portraits')
  await first.keyboard.press('Enter')

  await expect(tilesOf(second)).toHaveCount(2)
  await expect(second.getByRole('link', { name: 'Portraits', exact: true })).toBeVisible()
  await expect(second.locator('main').getByText('2 images')).toBeVisible()
  // A page of records has `limit=200`; a count does not.
  expect(asked.filter((url) => url.includes('limit=200'))).toEqual([])
})

test('lets another browser with the same client id take over events, and reclaims them @long', async ({
  browser,
  context,
  server,
}) => {
  const sockets = new Sockets()
  const [tab] = await openTabs(context, sockets, 1)
  if (!tab) throw new Error('There is no tab.')
  const storageState = await context.storageState()
  const twin = await browser.newContext({ storageState, baseURL: server.url })
  const other = await twin.newPage()

  await other.goto('/')
  await expect(tab.getByText('Live updates are on in another window.')).toBeVisible()

  await tab.getByRole('button', { name: 'Use this window' }).click()
  await expect(tab.getByText('Live updates are on in another window.')).toBeHidden()
  await expect(other.getByText('Live updates are on in another window.')).toBeVisible()
  await twin.close()
})
