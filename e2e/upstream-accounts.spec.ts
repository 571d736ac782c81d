import type { Browser, Page } from '@playwright/test'
import type { AccountWish } from './fake-invokeai/accounts.ts'
import { GalleryPage } from './fixtures/gallery-page.ts'
import { namesInZip } from './fixtures/names-in-zip.ts'
import { seriousFaultsOf } from './fixtures/serious-faults-of.ts'
import { expect } from './fixtures.ts'
import { test } from './upstream-fixtures.ts'

const ADA = { email: 'ada@example.com', password: 'analytical engine', isAdmin: true }
const BOB = { email: 'bob@example.com', password: 'hunter2' }

test.use({ invokeAiOptions: { accounts: [ADA, BOB] } })

const signIn = async (page: Page, { email, password }: Omit<AccountWish, 'isAdmin'> = ADA) => {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.keyboard.press('Enter')
}

test('who signs in sees the pictures, also after a reload', async ({ api, gallery, page }) => {
  const { image_name } = await api.uploadImage('cat.png')
  await page.goto('/?board=none')
  await expect(page.getByRole('heading', { name: 'Sign in to your gallery' })).toBeVisible()
  await expect(page.getByLabel('Email')).toBeFocused()

  await signIn(page)

  await expect(gallery.image(image_name)).toBeVisible()
  const isDrawn = () =>
    gallery
      .image(image_name)
      .locator('img')
      .evaluate((img: HTMLImageElement) => img.naturalWidth > 0)
  await expect.poll(isDrawn).toBe(true)
  await page.reload()
  await expect.poll(isDrawn).toBe(true)
})

for (const colorScheme of ['light', 'dark'] as const) {
  test(`nothing is in anybody's way: the sign-in, ${colorScheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme })
    await page.goto('/')
    await signIn(page, { ...ADA, password: 'wrong' })
    await expect(page.getByRole('alert')).toBeVisible()

    expect(await seriousFaultsOf(page)).toEqual([])
  })
}

test('a wrong password is said, and is ready to be written again', async ({ page, gallery }) => {
  await page.goto('/')

  await signIn(page, { ...ADA, password: 'wrong' })

  await expect(page.getByRole('alert')).toHaveText('Incorrect email or password')
  await expect(page.getByLabel('Password')).toBeFocused()
  await page.keyboard.type(ADA.password)
  await page.keyboard.press('Enter')
  await expect(gallery.sidebar).toBeVisible()
})

test('what was done when a login ran out is done after the next one', async ({
  api,
  gallery,
  invokeAi,
  page,
}) => {
  const { image_name } = await api.uploadImage('cat.png')
  await page.goto('/?board=none')
  await signIn(page)
  await expect(gallery.image(image_name)).toBeVisible()

  // With the change itself: anything else that is asked would have the sign-in come before it.
  let isOver = false
  await page.route(/\/images\/i\//, async (route) => {
    if (route.request().method() === 'PATCH' && !isOver) invokeAi.accounts.expireTokens()
    isOver ||= route.request().method() === 'PATCH'
    await route.continue()
  })
  await gallery.star(image_name)
  await expect(page.getByRole('heading', { name: 'Sign in to your gallery' })).toBeVisible()
  expect([...invokeAi.library.images.values()]).toMatchObject([{ starred: false }])
  await signIn(page)

  await expect(gallery.image(image_name).getByRole('button', { name: 'Unstar' })).toBeAttached()
  await expect.poll(() => [...invokeAi.library.images.values()]).toMatchObject([{ starred: true }])
})

test('who signs out leaves nothing, and what was deleted is deleted', async ({
  api,
  gallery,
  invokeAi,
  page,
}) => {
  const { image_name } = await api.uploadImage('cat.png')
  await page.goto('/?board=none')
  await signIn(page)
  await gallery.deleteImage(image_name)
  await expect(gallery.tiles).toHaveCount(0)

  await page.getByRole('button', { name: 'Account' }).click()
  await expect(page.getByRole('menu')).toContainText('ada')
  await page.getByRole('menuitem', { name: 'Sign out' }).click()

  await page.waitForURL('/') // signing out loads the page anew
  await expect(page.getByRole('heading', { name: 'Sign in to your gallery' })).toBeVisible()
  await expect.poll(() => invokeAi.library.images.size).toBe(0)
  await page.reload()
  await expect(page.getByLabel('Email')).toBeVisible()
})

/** The same gallery, as another account sees it. */
const openAs = async (browser: Browser, url: string, account: AccountWish, path = '/') => {
  const page = await (await browser.newContext({ baseURL: url })).newPage()
  await page.goto(path)
  await signIn(page, account)
  return page
}

test('several images come as a zip, also where only a token opens it', async ({
  api,
  gallery,
  page,
}) => {
  for (const name of ['a.png', 'b.png']) await api.uploadImage(name)
  await page.goto('/?board=none')
  await signIn(page)
  await expect(gallery.tiles).toHaveCount(2)
  await page.keyboard.press('ControlOrMeta+a')

  const downloading = page.waitForEvent('download')
  await gallery.selectionBar.getByRole('button', { name: 'Download' }).click()

  expect(await namesInZip(await downloading)).toHaveLength(2)
})

test('what belongs to somebody else stays as it was, and the page says why', async ({
  api,
  browser,
  invokeAi,
  server,
}) => {
  const { boardId } = await api.createBoard('Castles')
  await api.client.boardOperations.update(boardId, { board_visibility: 'shared' })
  const { image_name } = await api.uploadImage('cat.png', { board: 'Castles' })
  const bobs = await openAs(browser, server.url, BOB, `/?board=${boardId}`)
  const gallery = new GalleryPage(bobs, api, '')
  await expect(gallery.tiles).toHaveCount(1)

  await gallery.star(image_name)
  await expect(gallery.toast(/Not authorized/)).toBeVisible()
  await expect(gallery.image(image_name).getByRole('button', { name: 'Star' })).toBeAttached()
  await gallery.deleteImage(image_name)
  await expect(gallery.tiles).toHaveCount(0)
  await expect(gallery.toast(/could not be deleted/)).toBeVisible({ timeout: 40_000 })
  await expect(gallery.tiles).toHaveCount(1)

  expect(invokeAi.library.images.get(image_name)).toMatchObject({ starred: false })
  await bobs.context().close()
})

test('a board is seen by others as far as its owner says', async ({
  api,
  browser,
  gallery,
  invokeAi,
  page,
  server,
}) => {
  const { boardId } = await api.createBoard('Castles')
  await page.goto('/')
  await signIn(page)
  const bobs = await (await browser.newContext({ baseURL: server.url })).newPage()
  await bobs.goto('/')
  await signIn(bobs, BOB)
  await expect(bobs.getByText('Boards group images.')).toBeVisible()

  await gallery.board('Castles').hover()
  await page.getByRole('button', { name: 'Options for Castles' }).click()
  await page.getByRole('menuitemradio', { name: 'Everyone', exact: true }).click()
  await expect.poll(() => invokeAi.library.boards.get(boardId)?.board_visibility).toBe('shared')

  await bobs.reload()
  await expect(bobs.getByRole('link', { name: 'Castles', exact: true })).toBeVisible()
  await expect(bobs.getByRole('button', { name: 'Options for Castles' })).toBeHidden()
  await bobs.context().close()
})
