import type { Page } from '@playwright/test'
import type { AccountOptions } from './fake-invokeai/accounts.ts'
import { GalleryPage } from './fixtures/gallery-page.ts'
import { namesInZip } from './fixtures/names-in-zip.ts'
import { seriousFaultsInBothSchemes } from './fixtures/serious-faults-of.ts'
import { expect } from './fixtures.ts'
import { test, UNDO_MS } from './upstream-fixtures.ts'

const ADA = { email: 'ada@example.com', password: 'analytical engine', isAdmin: true }
const BOB = { email: 'bob@example.com', password: 'hunter2' }

test.use({ invokeAiOptions: { accounts: [ADA, BOB] } })

const signIn = async (page: Page, { email, password }: Omit<AccountOptions, 'isAdmin'> = ADA) => {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.keyboard.press('Enter')
}

test('rejects a wrong password, and shows and downloads images after sign-in and a reload', async ({
  api,
  gallery,
  page,
}) => {
  for (const name of ['a.png', 'b.png']) await api.uploadImage(name)
  await page.goto('/?board=none')
  await expect(page.getByRole('heading', { name: 'Sign in to your gallery' })).toBeVisible()
  await expect(page.getByLabel('Email')).toBeFocused()

  await signIn(page, { ...ADA, password: 'wrong' })
  await expect(page.getByRole('alert')).toHaveText('Incorrect email or password')
  expect(await seriousFaultsInBothSchemes(page)).toEqual([])
  await expect(page.getByLabel('Password')).toBeFocused()
  await page.keyboard.type(ADA.password)
  await page.keyboard.press('Enter')

  const isDrawn = () =>
    gallery.tiles
      .locator('img')
      .evaluateAll(
        (images: HTMLImageElement[]) =>
          images.length === 2 && images.every(({ naturalWidth }) => naturalWidth > 0),
      )
  await expect.poll(isDrawn).toBe(true)
  await page.reload()
  await expect.poll(isDrawn).toBe(true)

  await page.keyboard.press('ControlOrMeta+a')
  const downloading = page.waitForEvent('download')
  await gallery.selectionBar.getByRole('button', { name: 'Download' }).click()
  expect(await namesInZip(await downloading)).toHaveLength(2)
})

test('sends a change after the next login if the session ended, and clears all on sign-out', async ({
  api,
  gallery,
  invokeAi,
  page,
}) => {
  const { image_name } = await api.uploadImage('cat.png')
  await page.goto('/?board=none')
  await signIn(page)
  await expect(gallery.image(image_name)).toBeVisible()

  // Only the change itself fails. If another request failed first, the sign-in would precede the change.
  let isOver = false
  await page.route(/\/images\/i\//, async (route) => {
    if (route.request().method() === 'PATCH' && !isOver) invokeAi.accounts.expireTokens()
    isOver ||= route.request().method() === 'PATCH'
    await route.continue()
  })
  await gallery.star(image_name)
  await expect(page.getByRole('heading', { name: 'Sign in to your gallery' })).toBeVisible()
  const isStarred = async () => (await invokeAi.client.images.get(image_name))?.starred
  expect(await isStarred()).toBe(false)
  await signIn(page)
  await expect(gallery.image(image_name).getByRole('button', { name: 'Unstar' })).toBeAttached()
  await expect.poll(isStarred).toBe(true)

  await gallery.deleteImage(image_name)
  await expect(gallery.tiles).toHaveCount(0)
  await page.getByRole('button', { name: 'Account' }).click()
  await expect(page.getByRole('menu')).toContainText('ada')
  await page.getByRole('menuitem', { name: 'Sign out' }).click()

  await page.waitForURL('/') // signing out reloads the page
  await expect(page.getByRole('heading', { name: 'Sign in to your gallery' })).toBeVisible()
  await expect.poll(() => invokeAi.client.images.count({})).toBe(0)
  await page.reload()
  await expect(page.getByLabel('Email')).toBeVisible()
})

test('shows a board to others according to its visibility and protects foreign images', async ({
  api,
  browser,
  gallery,
  invokeAi,
  page,
  server,
}) => {
  const { boardId } = await api.createBoard('Castles')
  const { image_name } = await api.uploadImage('cat.png', { board: 'Castles' })
  await page.goto('/')
  await signIn(page)
  const bobs = await (await browser.newContext({ baseURL: server.url })).newPage()
  await bobs.clock.install()
  await bobs.goto('/')
  await signIn(bobs, BOB)
  await expect(bobs.getByText('Boards group images.')).toBeVisible()

  await gallery.board('Castles').hover()
  await page.getByRole('button', { name: 'Options for Castles' }).click()
  await page.getByRole('menuitemradio', { name: 'Everyone', exact: true }).click()
  const castles = () => invokeAi.client.boardOperations.get(boardId)
  await expect.poll(castles).toMatchObject({ board_visibility: 'shared' })

  await bobs.reload()
  const seenByBob = new GalleryPage(bobs, api, '')
  await seenByBob.openBoard('Castles')
  await expect(seenByBob.tiles).toHaveCount(1)
  await seenByBob.board('Castles').hover()
  await bobs.getByRole('button', { name: 'Options for Castles' }).click()
  await expect(bobs.getByRole('menuitem', { name: 'Download as zip' })).toBeVisible()
  await expect(bobs.getByRole('menuitem', { name: /Rename|Delete board/ })).toHaveCount(0)
  await expect(bobs.getByRole('menuitemradio')).toHaveCount(0)
  await bobs.keyboard.press('Escape')
  await expect(bobs.getByRole('menu')).toBeHidden()

  await seenByBob.star(image_name)
  await expect(seenByBob.toast(/Not authorized/)).toBeVisible()
  await seenByBob.image(image_name).hover()
  await expect(seenByBob.image(image_name).getByRole('button', { name: 'Star' })).toBeAttached()
  await seenByBob.deleteImage(image_name)
  await expect(seenByBob.tiles).toHaveCount(0)
  await bobs.clock.fastForward(UNDO_MS)
  await expect(seenByBob.toast(/could not be deleted/)).toBeVisible()
  await expect(seenByBob.tiles).toHaveCount(1)

  expect(await invokeAi.client.images.get(image_name)).toMatchObject({ starred: false })
  await bobs.context().close()
})
