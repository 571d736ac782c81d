import type { Page } from '@playwright/test'
import { seriousFaultsInBothSchemes } from './fixtures/serious-faults-of.ts'
import { expect, test } from './fixtures.ts'

const ASIDE = 'aside[aria-label=Properties]'
const SHEET = '[role=dialog][aria-label=Properties]'
const FACETS = '**/api/v1/images/facets*'

const value = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

test.describe('with images of three formats', () => {
  test.beforeEach(async ({ api }) => {
    await api.uploadImages(['a.png', 'b.png', 'c.jpg', 'd.webp'])
  })

  test('narrows by clicks and keys, and Back widens again', async ({ gallery, page }) => {
    let answer = () => {}
    const isAnswered = new Promise<void>((resolve) => {
      answer = resolve
    })
    await page.route(FACETS, async (route) => {
      await isAnswered
      await route.continue()
    })
    await gallery.open({ board: 'none' })
    const button = page.getByRole('button', { name: 'Properties', exact: true })
    await button.click()
    await expect(page.locator(ASIDE)).toContainText('Counting…')
    expect(await seriousFaultsInBothSchemes(page, ASIDE), 'loading').toEqual([])
    answer()
    await expect(value(page, 'PNG, 2 images')).toBeVisible()
    expect(await seriousFaultsInBothSchemes(page), 'open').toEqual([])

    await value(page, 'JPG, 1 image').click()
    await expect.poll(() => gallery.shownNames()).toEqual(['c.jpg'])
    await value(page, 'WEBP, 1 image').click()
    await expect(gallery.tiles).toHaveCount(2)
    await expect(gallery.search).toHaveValue('(type:jpg OR type:webp)')
    await value(page, 'PNG, 2 images').click({ modifiers: ['Alt'] })
    await expect(value(page, 'PNG, 2 images, excluded')).toBeVisible()
    expect(await seriousFaultsInBothSchemes(page, ASIDE), 'chosen').toEqual([])

    await page.goBack()
    await expect(gallery.search).toHaveValue('(type:jpg OR type:webp)')
    await page.goBack()
    await expect.poll(() => gallery.shownNames()).toEqual(['c.jpg'])
    await page.goBack()
    await expect(gallery.tiles).toHaveCount(4)
    await expect(page.locator(ASIDE)).toBeVisible()

    await value(page, 'PNG, 2 images').focus()
    await page.keyboard.press('ArrowDown')
    await expect(value(page, 'JPG, 1 image')).toBeFocused()
    await page.keyboard.press('-')
    await expect(value(page, 'JPG, 1 image, excluded')).toBeFocused()
    await expect(gallery.tiles).toHaveCount(3)
    await page.keyboard.press('Escape')
    await expect(page.locator(ASIDE)).toBeHidden()
    await expect(button).toBeFocused()
  })

  test('says that counting failed, and counts again @long', async ({ gallery, page }) => {
    await page.route(FACETS, (route) => route.fulfill({ status: 400, json: {} }))
    await gallery.open({ board: 'none' })
    await expect(gallery.tiles).toHaveCount(4)
    await page.keyboard.press('g')
    await expect(page.locator(ASIDE).getByRole('alert')).toContainText(
      'Couldn’t count the properties',
    )
    expect(await seriousFaultsInBothSchemes(page, ASIDE)).toEqual([])

    await page.unroute(FACETS)
    await page.locator(ASIDE).getByRole('button', { name: 'Retry' }).click()
    await expect(value(page, 'PNG, 2 images')).toBeVisible()
  })

  test.describe('on a phone', () => {
    test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

    test('is a sheet, with large targets, that Back closes', async ({ gallery, page }) => {
      await page.goto('/?board=none')
      await expect(gallery.tiles).toHaveCount(4)
      const button = page.getByRole('button', { name: 'Properties', exact: true })
      await button.tap()
      const sheet = page.locator(SHEET)
      await expect(value(page, 'PNG, 2 images')).toBeVisible()
      const small = await sheet
        .getByRole('button')
        .evaluateAll((all) => all.filter((one) => one.getBoundingClientRect().height < 44).length)
      expect(small).toBe(0)

      await value(page, 'PNG, 2 images').tap()
      await page.getByRole('button', { name: 'Exclude JPG' }).tap()
      await expect(value(page, 'JPG, 1 image, excluded')).toBeVisible()
      expect(await seriousFaultsInBothSchemes(page, SHEET)).toEqual([])
      await page.getByRole('button', { name: 'Close properties' }).tap()
      await expect(sheet).toBeHidden()
      await expect(gallery.tiles).toHaveCount(2)
      await expect(button).toBeFocused()

      await button.tap()
      await expect(sheet).toBeVisible()
      await page.goBack()
      await expect(sheet).toBeHidden()
      await expect(gallery.tiles).toHaveCount(2)
    })
  })
})

test.describe('with InvokeAI', () => {
  test.use({ serverKind: 'invokeai' })

  test('shows no properties @long', async ({ gallery, page }) => {
    await gallery.open({ board: 'none' })

    await expect(page.getByRole('button', { name: 'View options' })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Properties', exact: true })).toHaveCount(0)
  })
})
