import { seriousFaultsInBothSchemes } from './fixtures/serious-faults-of.ts'
import { expect, test } from './fixtures.ts'

test.beforeEach(async ({ api }) => {
  await api.createBoard('Best of')
  await api.uploadImage('wide.png', { widthPx: 96, heightPx: 64, board: 'Best of' })
  await api.uploadImage('high.png', { widthPx: 64, heightPx: 96 })
})

test('completes conditions while typing, and undoes a completion', async ({ gallery, page }) => {
  await gallery.open()
  const options = page.getByRole('listbox', { name: 'Suggestions' }).getByRole('option')

  await gallery.search.pressSequentially('sha')
  await expect(options).toHaveText([/^shape:/])
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Tab')
  await page.keyboard.type('po')
  await expect(options).toHaveText(['portrait'])
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')

  await expect(gallery.search).toHaveValue('shape:portrait ')
  await expect.poll(() => gallery.shownNames()).toEqual(['high.png'])
  await page.keyboard.press('ControlOrMeta+z')
  await expect(gallery.search).toHaveValue('shape:po')
})

test('marks what it understood below the same letters of the field', async ({ gallery, page }) => {
  await gallery.open()
  const copy = page.locator('[data-coloured]')
  const long = `steps>x -is:starred ${'castle '.repeat(40)}model:flux`

  await gallery.search.fill(long)
  await gallery.search.press('Home')
  await expect(copy.getByText('is:')).toBeInViewport()
  await gallery.search.press('End')

  await expect(copy.getByText('flux')).toBeInViewport()
  const field = await gallery.search.evaluate(({ scrollLeft }) => scrollLeft)
  expect(await copy.evaluate(({ scrollLeft }) => scrollLeft)).toBe(field)
  expect(field).toBeGreaterThan(0)
  await expect(page.getByText('A number is expected, as in steps>20.')).toBeVisible()
  expect(await seriousFaultsInBothSchemes(page)).toEqual([])
})

test('excludes a value of the details, and returns to the image with Back @long', async ({
  gallery,
  page,
}) => {
  await gallery.open()
  await gallery.image('high.png').dblclick()
  await expect(gallery.viewer).toContainText('1 of 2')
  await page.keyboard.press('i')

  await gallery.details.getByRole('button', { name: '64 × 96' }).click({ modifiers: ['Alt'] })
  await expect(gallery.search).toHaveValue('-size:64x96')
  await expect.poll(() => gallery.shownNames()).toEqual(['wide.png'])
  await page.goBack()

  await expect(gallery.viewer).toContainText('1 of 2')
  await expect(gallery.details).toContainText('64 × 96')
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  test('takes a suggestion by a tap, and removes its chip', async ({ gallery, page }) => {
    await page.goto('/')
    const chips = page.getByRole('list', { name: 'Conditions' })

    await gallery.search.tap()
    await gallery.search.pressSequentially('board:')
    await page.getByRole('option', { name: /^Best of/ }).tap()
    await expect.poll(() => gallery.shownNames()).toEqual(['wide.png'])
    await gallery.search.pressSequentially('shape:landscape steps>=1 -is:starred size>9 ')
    await expect(chips.getByRole('listitem')).toHaveCount(5)
    const boxes = await chips.getByRole('listitem').all()
    const tops = await Promise.all(boxes.map(async (chip) => (await chip.boundingBox())?.y))
    expect(new Set(tops).size).toBe(1)
    expect(await seriousFaultsInBothSchemes(page)).toEqual([])
    for (const name of ['Steps: ≥ 1', 'Board: Best of'])
      await chips.getByRole('button', { name: `Remove ${name}`, exact: true }).tap()

    await expect(gallery.search).toHaveValue('shape:landscape -is:starred size>9')
    await expect.poll(() => gallery.shownNames()).toEqual(['wide.png'])
  })
})
