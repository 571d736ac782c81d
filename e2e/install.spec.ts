import type { Locator, Page } from '@playwright/test'
import sharp from 'sharp'
import { SHARE_PATH } from '#contract/uploads/upload-operations.ts'
import { expect, test } from './fixtures.ts'
import { test as upstreamTest } from './upstream-fixtures.ts'

test.use({ libraryOf: 60 })

test('loads only a few scripts and at most 350 kB besides images', async ({ gallery, page }) => {
  await page.goto('/')
  await expect(gallery.tiles.first()).toBeVisible()

  const load = await page.evaluate(() => {
    const entries = [
      ...performance.getEntriesByType('navigation'),
      ...performance.getEntriesByType('resource'),
    ] as PerformanceResourceTiming[]
    // Lazy parts follow at least four seconds after the start.
    const first = entries.filter(
      ({ startTime, initiatorType }) => startTime < 4000 && initiatorType !== 'img',
    )
    return {
      scripts: first.filter(({ name }) => name.endsWith('.js')).length,
      transferred: first.reduce((sum, { transferSize }) => sum + transferSize, 0),
    }
  })

  expect(load.scripts).toBeGreaterThan(1)
  expect(load.scripts).toBeLessThan(10)
  expect(load.transferred).toBeGreaterThan(100_000)
  expect(load.transferred).toBeLessThanOrEqual(350_000)
})

test('asks for its first scripts to be compiled while they load', async ({ server, page }) => {
  const html = await (await page.request.get(server.url)).text()
  const paths = [...html.matchAll(/"\.\/(assets\/(?:index|components)-[\w-]+\.js)"/g)]

  expect(paths).toHaveLength(2)
  for (const [, path = ''] of paths) {
    const script = await page.request.get(`${server.url}/${path}`)
    expect(await script.text()).toMatch(/^\/\/# allFunctionsCalledOnLoad\n/)
  }
})

test('shows its frame and asks for the first pictures before the components arrive', async ({
  gallery,
  page,
}) => {
  const components = Promise.withResolvers<void>()
  await page.route('**/components-*.js', async (route) => {
    await components.promise
    await route.continue()
  })
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/thumbnail')) asked.push(request.url())
  })
  await page.goto('/', { waitUntil: 'commit' })

  await expect.poll(() => asked.length).toBe(35)
  const brand = page.getByText('Tessera', { exact: true }).first()
  const beforeRendering = await brand.boundingBox()
  expect(beforeRendering?.width).toBeGreaterThan(200)
  await expect(gallery.tiles).toHaveCount(0)
  components.resolve()

  await expect(gallery.tiles.first()).toBeVisible()
  const sidebar = await page.getByRole('complementary', { name: 'Sidebar' }).boundingBox()
  expect(sidebar?.x).toBe(beforeRendering?.x)
  expect(Math.abs((sidebar?.width ?? 0) - (beforeRendering?.width ?? 0))).toBeLessThanOrEqual(1)
  await expect.poll(() => asked.length).toBeGreaterThan(35)
  expect(asked.length).toBe(new Set(asked).size)
})

test('is installable, with icons of the sizes that the manifest names', async ({
  page,
  request,
}) => {
  await page.goto('/')
  const href = await page.locator('link[rel="manifest"]').getAttribute('href')
  const manifest = await request.get(href ?? '')
  expect(manifest.headers()['content-type']).toContain('application/manifest+json')
  const { icons, start_url, display } = await manifest.json()
  expect({ start_url, display }).toEqual({ start_url: './', display: 'standalone' })

  const pngs = icons.filter(({ type }: { type: string }) => type === 'image/png')
  expect(pngs.map(({ sizes }: { sizes: string }) => sizes)).toEqual([
    '192x192',
    '512x512',
    '512x512',
  ])
  for (const { src, sizes } of [...pngs, { src: 'apple-touch-icon.png', sizes: '180x180' }]) {
    const icon = await sharp(await (await request.get(src)).body()).metadata()
    expect(`${icon.width}x${icon.height}`, src).toBe(sizes)
  }
})

/** Returns all URLs that the service worker stored, after its installation. */
const listStored = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    await navigator.serviceWorker.ready
    const names = await window.caches.keys()
    const caches = await Promise.all(names.map((name) => window.caches.open(name)))
    return (await Promise.all(caches.map((cache) => cache.keys()))).flat().map(({ url }) => url)
  })

/** Expects only the page and its own static files. */
async function expectOnlyStaticFiles(page: Page, urls: readonly string[]): Promise<void> {
  const { origin } = new URL(page.url())
  expect(urls).toContain(`${origin}/`)
  const isStatic = /^\/(?:|theme\.js|icon\.svg|manifest\.webmanifest|assets\/[\w-]+\.(?:js|css))$/
  const others = urls.filter(
    (url) => !url.startsWith(`${origin}/`) || !isStatic.test(url.slice(origin.length)),
  )
  expect(others).toEqual([])
}

/** Shares files like another app and returns the dialog that the page opens. */
async function share(page: Page, ...names: readonly string[]): Promise<Locator> {
  await page.evaluate((path) => {
    const form = document.createElement('form')
    Object.assign(form, { id: 'share', method: 'post', enctype: 'multipart/form-data' })
    form.action = path
    form.innerHTML = '<input type="file" name="files" multiple>'
    document.body.append(form)
  }, SHARE_PATH)
  const files = names.map(async (name, index) => {
    const create = { width: 64, height: 48, channels: 3 as const, background: { r: 0, g: 0, b: 0 } }
    create.background.r = 40 * index + name.length
    return { name, mimeType: 'image/png', buffer: await sharp({ create }).png().toBuffer() }
  })
  await page.locator('#share input').setInputFiles(await Promise.all(files))
  const loaded = page.waitForEvent('load')
  await page.locator('#share').evaluate((form: HTMLFormElement) => form.submit())
  await loaded
  const dialog = page.getByRole('dialog', { name: /shared/ })
  await expect(dialog).toBeVisible()
  expect(page.url()).not.toContain('shared=')
  return dialog
}

const outage = (page: Page) => page.getByText('The server does not answer.', { exact: true })

test.describe('with the service worker', () => {
  test.use({ serviceWorkers: 'allow' })

  test('shows the page and an offline message without the server, and recovers', async ({
    gallery,
    page,
    server,
  }) => {
    await page.goto('/')
    await expect(gallery.tiles.first()).toBeVisible()
    await listStored(page)

    await server.close()
    await page.reload()

    await expect(outage(page)).toBeVisible()
    await expect(gallery.sidebar).toBeVisible()
    await expectOnlyStaticFiles(page, await listStored(page))

    await server.restart()
    await expect(gallery.tiles.first()).toBeVisible()
  })

  test('asks about shared images and adds them to a board or discards them @long', async ({
    api,
    gallery,
    page,
    server,
  }) => {
    await api.createBoard('Summer')
    await page.goto('/')
    await listStored(page)

    await server.close()
    await share(page, 'cat.png', 'dog.png')
    await server.restart()
    const dialog = await share(page, 'owl.png')
    await expect(dialog).toHaveAccessibleName('Add 3 shared images?')
    await expect(dialog.getByRole('img', { name: 'owl.png' })).toBeVisible()
    await dialog.getByRole('button', { name: 'Add to Assets' }).click()
    await page.getByPlaceholder('Add 3 images to…').fill('Sum')
    await page.keyboard.press('Enter')
    await expect(dialog.getByRole('button', { name: 'Add to Summer' })).toBeFocused()
    await dialog.getByRole('button', { name: 'Add', exact: true }).click()
    await expect(dialog).toBeHidden()
    const added = async () => (await api.namesOn('Summer'))?.toSorted()
    await expect.poll(added).toEqual(['cat.png', 'dog.png', 'owl.png'])

    await share(page, 'fox.png')
    await expect(dialog).toHaveAccessibleName('Add 1 shared image?')
    await page.keyboard.press('Escape')
    await page.reload()
    await dialog.getByRole('button', { name: 'Discard' }).click()
    await expect(dialog).toBeHidden()
    await page.reload()
    await expect(gallery.board('Summer')).toBeVisible()
    await expect(dialog).toBeHidden()
    expect(await added()).toHaveLength(3)
  })

  test.describe('of a server with a token', () => {
    test.use({ serverFlags: ['--token', 'open-sesame'] })

    test('stores no token and no image, and shows nothing without the token @long', async ({
      context,
      gallery,
      page,
      server,
    }) => {
      await page.goto('/?token=open-sesame')
      await expect(gallery.tiles.first()).toBeVisible()
      await listStored(page)
      await page.goto('/?token=open-sesame')
      await expect(gallery.tiles.first()).toBeVisible()
      await expectOnlyStaticFiles(page, await listStored(page))

      await context.clearCookies()
      await page.reload()
      await expect(page.getByText('Open this gallery with its link')).toBeVisible()
      await expect(gallery.tiles).toHaveCount(0)

      await server.close()
      await page.reload()
      await expect(outage(page)).toBeVisible()
      await expect(gallery.tiles).toHaveCount(0)
    })
  })
})

upstreamTest.describe('with the service worker, before an InvokeAI', () => {
  upstreamTest.use({ serviceWorkers: 'allow' })

  upstreamTest('adds shared images to the open board @long', async ({ gallery, page }) => {
    await page.goto('/?board=none')
    await listStored(page)

    const dialog = await share(page, 'cat.png', 'dog.png')
    await dialog.getByRole('button', { name: 'Add', exact: true }).click()

    await expect(gallery.tiles).toHaveCount(2)
  })
})

const ADA = { email: 'ada@example.com', password: 'analytical engine', isAdmin: true }
const BOB = { email: 'bob@example.com', password: 'hunter2' }

upstreamTest.describe('with the service worker, before an InvokeAI with accounts', () => {
  upstreamTest.use({ serviceWorkers: 'allow', invokeAiOptions: { accounts: [ADA, BOB] } })

  upstreamTest(
    'stores nothing of an account and shows nothing of it to the next one',
    async ({ api, gallery, page, server }) => {
      const signIn = async ({ email, password }: { email: string; password: string }) => {
        await page.getByLabel('Email').fill(email)
        await page.getByLabel('Password').fill(password)
        await page.keyboard.press('Enter')
      }
      await api.createBoard('Castles')
      await api.uploadImage('cat.png')
      await page.goto('/?board=none')
      await signIn(ADA)
      await expect(gallery.board('Castles')).toBeVisible()
      await expect(gallery.tiles).toHaveCount(1)
      await listStored(page)
      await page.reload()
      await expect(gallery.tiles).toHaveCount(1)
      await expectOnlyStaticFiles(page, await listStored(page))

      await page.getByRole('button', { name: 'Account' }).click()
      await page.getByRole('menuitem', { name: 'Sign out' }).click()
      await page.waitForURL('/') // signing out reloads the page
      await signIn(BOB)
      await expect(gallery.sidebar).toBeVisible()
      await expect(page.getByText('Boards group images.')).toBeVisible()
      await expectOnlyStaticFiles(page, await listStored(page))

      await server.close()
      await page.reload()
      await expect(outage(page)).toBeVisible()
      await expect(page.getByText('Castles')).toHaveCount(0)
      await expect(gallery.tiles).toHaveCount(0)
    },
  )
})
