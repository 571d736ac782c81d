import type { Page } from '@playwright/test'
import { expect } from './fixtures.ts'
import { test } from './upstream-fixtures.ts'

const ADA = { email: 'ada@example.com', password: 'analytical engine', isAdmin: true }
const BOB = { email: 'bob@example.com', password: 'hunter2' }

test.use({ invokeAiOptions: { accounts: [ADA, BOB] } })

const signIn = async (page: Page, { email, password } = ADA) => {
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

  invokeAi.accounts.expireTokens()
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

  await expect(page.getByRole('heading', { name: 'Sign in to your gallery' })).toBeVisible()
  await expect.poll(() => invokeAi.library.images.size).toBe(0)
  await page.reload()
  await expect(page.getByLabel('Email')).toBeVisible()
})
