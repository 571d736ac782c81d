import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { drawFile } from '#testing/library/draw-file.ts'
import type { LibraryMaker } from '#testing/library/library-maker.ts'
import { openFinger } from './fixtures/pointer.ts'
import { settledBox } from './fixtures/record-positions.ts'
import { seriousFaultsInBothSchemes } from './fixtures/serious-faults-of.ts'
import { expect, test } from './fixtures.ts'

const INSIGHTS = '/?page=insights'

const plot = (page: Page, title: string | RegExp) =>
  page.getByRole('main').getByRole('region', { name: title })
const mark = (page: Page, title: string | RegExp, name: string | RegExp) =>
  plot(page, title).getByRole('link', { name })

/** Adds two generated images with the same seed, and a photo. */
const fill = async ({ client, uploadImage }: Pick<LibraryMaker, 'client' | 'uploadImage'>) => {
  for (const [fileName, prompt] of [
    ['a.png', 'a castle at dawn'],
    ['b.png', 'a castle, neon'],
  ] as const) {
    const metadata = { positive_prompt: prompt, seed: 1234, model: { name: 'flux1-dev' } }
    await client.uploads.upload({ bytes: await drawFile(fileName), fileName, metadata }, {})
  }
  const { image_name } = await uploadImage('c.jpg')
  await client.images.rate([image_name], 4)
}

test.describe('with images', () => {
  test.beforeEach(async ({ api }) => {
    await fill({ client: api.client, uploadImage: (name) => api.uploadImage(name) })
  })

  test('marks open their images by mouse and keys, and Back returns', async ({ gallery, page }) => {
    await gallery.open({ board: 'none' })
    await gallery.board('Insights').click()
    await expect(mark(page, 'Formats', 'PNG: 2 images')).toBeVisible()
    await expect(page).toHaveURL(/board=none&page=insights/)
    await expect(mark(page, /^Days of/, /: \d images?$/).first()).toBeVisible()
    await expect(mark(page, 'Seeds used again', '1234: 2 images')).toBeVisible()
    expect(await seriousFaultsInBothSchemes(page)).toEqual([])

    await mark(page, 'Ratings', '4 stars: 1 image').click()
    await expect(gallery.search).toHaveValue('rating:4')
    await expect.poll(() => gallery.shownNames()).toEqual(['c.jpg'])
    await page.goBack()

    await mark(page, 'Words of prompts', 'neon: 1 image').click()
    await expect.poll(() => gallery.shownNames()).toEqual(['b.png'])
    await expect(gallery.search).toHaveValue('prompt="neon"')
    await page.goBack()
    await expect(mark(page, 'Words of prompts', 'neon: 1 image')).toBeVisible()

    await mark(page, 'Formats', 'PNG: 2 images').click({ modifiers: ['Alt'] })
    await expect(gallery.search).toHaveValue('-type:png')
    await expect(mark(page, 'Formats', /./)).toHaveCount(1)
    await page.goBack()

    await mark(page, 'Formats', 'PNG: 2 images').focus()
    await page.keyboard.press('ArrowDown')
    await expect(mark(page, 'Formats', 'JPG: 1 image')).toBeFocused()
    await page.keyboard.press('Enter')
    await expect.poll(() => gallery.shownNames()).toEqual(['c.jpg'])
    await page.keyboard.press('Shift+I')
    await expect(mark(page, 'Formats', 'JPG: 1 image')).toBeVisible()
    await page.getByRole('button', { name: 'Show the images' }).click()
    await expect(gallery.tiles).toHaveCount(1)
  })

  test('opens a menu by key, and returns the focus @long', async ({ page }) => {
    await page.goto(INSIGHTS)
    const png = mark(page, 'Formats', 'PNG: 2 images')
    await png.focus()
    for (const key of ['Shift+F10', 'ContextMenu']) {
      await page.keyboard.press(key)
      await expect(page.getByRole('menu', { name: 'PNG' })).toBeVisible()
      await page.keyboard.press('Escape')
      await expect(page.getByRole('menu')).toBeHidden()
      await expect(png).toBeFocused()
    }

    await page.keyboard.press('Shift+F10')
    await page.getByRole('menuitem', { name: 'Exclude' }).press('Enter')
    await expect(mark(page, 'Formats', 'JPG: 1 image')).toBeFocused()
    await expect(page).toHaveURL(/q=-type%3Apng/)
  })

  test('returns to where the page was scrolled @long', async ({ page, gallery }) => {
    await page.setViewportSize({ width: 1000, height: 500 })
    await page.goto(INSIGHTS)
    const seed = mark(page, 'Seeds used again', '1234: 2 images')
    await seed.click()
    await expect(gallery.tiles).toHaveCount(2)
    await page.goBack()
    await expect(seed).toBeInViewport()
  })

  test('saves the values and the picture of a plot', async ({ page }) => {
    await page.goto(INSIGHTS)
    const save = async (title: string, item: string) => {
      await page.getByRole('button', { name: `Download ${title}` }).click()
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('menuitem', { name: item }).click(),
      ])
      return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) }
    }

    const words = await save('Words of prompts', 'CSV file')
    expect(words.name).toBe('tessera-words.csv')
    expect(words.bytes.toString()).toBe('\uFEFFWord,Images\r\ncastle,2\r\ndawn,1\r\nneon,1\r\n')
    const storage = await save('Storage by format', 'CSV file')
    expect(storage.bytes.toString()).toMatch(
      /^\uFEFFFormat,Images,Bytes\r\n(?:PNG,2|JPG,1),\d+\r\n/,
    )
    const ratings = await save('Ratings', 'CSV file')
    expect(ratings.bytes.toString()).toBe('\uFEFFRating,Images\r\n4,1\r\n0,2\r\n')
    const picture = await save('Models', 'PNG picture')
    expect(picture.name).toBe('tessera-models.png')
    expect(picture.bytes.subarray(1, 4).toString()).toBe('PNG')
    expect(picture.bytes.readUInt32BE(16)).toBeGreaterThan(400)
  })

  test('shows tables next to the plots, and what failed @long', async ({ page }) => {
    await page.route('**/api/v1/images/insights*words*', (route) =>
      route.fulfill({ status: 400, json: {} }),
    )
    await page.goto(INSIGHTS)
    await page.getByRole('button', { name: 'Show the table of Models' }).click()
    const table = plot(page, 'Models').getByRole('table')
    await expect(table).toContainText('flux1-dev2')
    await expect(plot(page, 'Words of prompts').getByRole('alert')).toContainText('Couldn’t count')
    expect(await seriousFaultsInBothSchemes(page)).toEqual([])

    await page.unroute('**/api/v1/images/insights*words*')
    await page.getByRole('button', { name: 'Retry Words of prompts' }).click()
    await expect(mark(page, 'Words of prompts', 'castle: 2 images')).toBeVisible()
    await table.getByRole('button', { name: 'flux1-dev' }).click()
    await expect(page).toHaveURL(/q=model%3Dflux1-dev/)
  })

  test.describe('on a phone', () => {
    test.use({ viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true })

    test('has one column and large targets', async ({ gallery, page }) => {
      await page.goto(INSIGHTS)
      const png = mark(page, 'Formats', 'PNG: 2 images')
      await expect(png).toBeVisible()
      expect((await png.boundingBox())?.height).toBeGreaterThanOrEqual(44)
      const isWider = await page.evaluate(
        () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
      )
      expect(isWider).toBe(false)
      expect(await seriousFaultsInBothSchemes(page)).toEqual([])

      await png.tap()
      await expect(gallery.tiles).toHaveCount(2)
    })

    test('excludes a value, and plots only one, by a long press', async ({ page, gallery }) => {
      await page.goto(INSIGHTS)
      const finger = await openFinger(page)
      const openMenu = async (title: string, name: string) => {
        await mark(page, title, name).scrollIntoViewIfNeeded()
        const { x, y, width, height } = await settledBox(mark(page, title, name))
        await finger.press(x + width / 2, y + height / 2)
        await expect(page.getByRole('menu')).toBeVisible()
        await finger.lift()
      }
      const choose = (item: string) => page.getByRole('menuitem', { name: item, exact: true }).tap()

      await openMenu('Formats', 'JPG: 1 image')
      expect(await seriousFaultsInBothSchemes(page)).toEqual([])
      await choose('Exclude')
      await expect(mark(page, 'Formats', /./)).toHaveCount(1)
      await expect(page).toHaveURL(/q=-type%3Ajpg/)

      await openMenu('Words of prompts', 'neon: 1 image')
      await choose('Plot only these')
      await expect(mark(page, 'Formats', 'PNG: 1 image')).toBeVisible()
      await expect(page).toHaveURL(/page=insights/)

      await openMenu('Formats', 'PNG: 1 image')
      await choose('Show the images')
      await expect(gallery.tiles).toHaveCount(1)
    })
  })
})

test('says that there is nothing to plot @long', async ({ page }) => {
  await page.goto(INSIGHTS)

  await expect(page.getByText('No images to plot')).toBeVisible()
  expect(await seriousFaultsInBothSchemes(page)).toEqual([])
})

test.describe('with InvokeAI', () => {
  test.use({ serverKind: 'invokeai' })

  test('has no insights @long', async ({ gallery, page }) => {
    await page.goto('/?board=none&page=insights')

    await expect(page.getByRole('main', { name: 'Assets' })).toBeVisible()
    await expect(gallery.board('Insights')).toHaveCount(0)
  })
})
