import { seriousFaultsInBothSchemes } from './fixtures/serious-faults-of.ts'
import { expect, test } from './fixtures.ts'

test('rates and tags by keys and mouse, finds both, and undoes', async ({ api, gallery, page }) => {
  await api.uploadImages(['a.png', 'b.png', 'c.png'])
  await gallery.open()
  await gallery.select('a.png', 'b.png')
  await page.keyboard.press('4')
  await expect(gallery.image('a.png').locator('[data-badge=rating]')).toHaveAttribute(
    'data-rating',
    '4',
  )
  await page.keyboard.press('t')
  const tags = page.getByRole('dialog', { name: 'Tags' })
  await tags.getByRole('combobox').fill('people/anna')
  await page.keyboard.press('Enter')
  await expect(tags.getByRole('option', { name: /people\/anna/, checked: true })).toBeVisible()
  expect(await seriousFaultsInBothSchemes(page), 'dialog').toEqual([])
  await page.keyboard.press('Escape')
  await expect(tags).toBeHidden()

  await gallery.sidebar.getByRole('button', { name: 'Ratings' }).click()
  await gallery.sidebar.getByRole('button', { name: 'Tags', exact: true }).click()
  const rating = gallery.sidebar.getByRole('link', { name: '3 stars or more' })
  const people = gallery.sidebar.getByRole('link', { name: 'people', exact: true })
  await expect(people).toBeVisible()
  expect(await seriousFaultsInBothSchemes(page), 'sidebar').toEqual([])
  await rating.click()
  await expect(gallery.tiles).toHaveCount(2)
  await people.click()
  await expect(gallery.tiles).toHaveCount(2)
  await gallery.openBoard('All images')
  await expect(gallery.tiles).toHaveCount(3)

  await gallery.dragImage('c.png', { toBoard: '5 stars' })
  await expect(gallery.image('c.png').locator('[data-badge=rating]')).toHaveAttribute(
    'data-rating',
    '5',
  )
  await gallery.sidebar.getByRole('button', { name: 'Tags below people' }).click()
  await gallery.dragImage('c.png', { toBoard: 'people/anna' })
  const tagged = async () => (await api.imagesOn()).filter((image) => image.tags.length > 0).length
  await expect.poll(tagged).toBe(3)

  await page.keyboard.press('Control+z')
  await expect.poll(tagged).toBe(2)
  for (let actions = 0; actions < 3; actions += 1) await page.keyboard.press('Control+z')
  await expect.poll(tagged).toBe(0)
  await expect(page.locator('[data-badge=rating]')).toHaveCount(0)
})

test('rates in the viewer and in its details, and zooms by other keys @long', async ({
  api,
  gallery,
  page,
}) => {
  await api.uploadImage('a.png', { widthPx: 3000, heightPx: 2000 })
  await gallery.open()
  await gallery.image('a.png').dblclick()
  await expect(gallery.viewer.getByRole('button', { name: /^\d+ %$/ })).toBeVisible()
  await page.keyboard.press('a')
  await expect(gallery.viewer.getByRole('button', { name: '100 %' })).toBeVisible()
  await page.keyboard.press('Shift+A')
  await expect(gallery.viewer.getByRole('button', { name: '100 %' })).toBeHidden()
  await page.keyboard.press('2')
  await page.keyboard.press('i')
  const stars = gallery.details.getByRole('group', { name: 'Rating' })
  await expect(stars.getByRole('button', { pressed: true })).toHaveAccessibleName('2 stars')
  await stars.getByRole('button', { name: '5 stars' }).click()
  await expect(stars.getByRole('button', { pressed: true })).toHaveAccessibleName('5 stars')
  await gallery.details.getByRole('button', { name: 'Tags…' }).click()
  const tags = page.getByRole('dialog', { name: 'Tags' })
  await tags.getByRole('combobox').fill('keep')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  await expect(tags).toBeHidden()
  await expect(gallery.details.getByRole('button', { name: 'keep' })).toBeVisible()
  expect(await seriousFaultsInBothSchemes(page), 'details').toEqual([])
  await gallery.details.getByRole('button', { name: 'keep' }).click()
  await expect(gallery.search).toHaveValue('tag="keep"')
  await expect(gallery.tiles).toHaveCount(1)
})

test('shows the rating and the tags on the hover card @long', async ({ api, gallery, page }) => {
  const { image_name } = await api.uploadImage('a.png')
  await api.client.images.rate([image_name], 4)
  await api.client.images.tag([image_name], { add: ['people/anna', 'C#'] })
  await gallery.open()

  await gallery.image('a.png').hover()

  const card = page.locator('[data-hover-card]')
  await expect(card.getByText('★★★★', { exact: true })).toBeVisible()
  await expect(card.getByText('C#, people/anna', { exact: true })).toBeVisible()
})

test('shows the ratings and tags of another tab @long', async ({ api, context, gallery, page }) => {
  await api.uploadImages(['a.png'])
  await gallery.open()
  const other = await context.newPage()
  await other.goto('/')
  await expect(other.getByRole('gridcell')).toHaveCount(1)
  await gallery.select('a.png')
  await page.keyboard.press('3')
  await expect(other.locator('[data-badge=rating]')).toHaveAttribute('data-rating', '3')
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  test('reaches the last rows of the sidebar below ratings and tags @long', async ({
    api,
    gallery,
    page,
  }) => {
    const { image_name } = await api.uploadImage('a.png')
    const tags = ['people/anna', ...Array.from({ length: 12 }, (_, at) => `tag ${at}`)]
    await api.client.images.tag([image_name], { add: tags })
    await api.createBoard('Portraits')
    await page.goto('/')
    await page.getByRole('button', { name: 'Open sidebar' }).tap()
    await gallery.sidebar.getByRole('button', { name: 'Ratings' }).tap()
    await expect(gallery.board('5 stars')).toBeVisible()
    await gallery.sidebar.getByRole('button', { name: 'Tags', exact: true }).tap()
    await expect(gallery.board('people')).toBeVisible()
    expect(await seriousFaultsInBothSchemes(page), 'sidebar').toEqual([])

    await gallery.board('Portraits').tap()
    await expect(page.getByRole('heading', { level: 1, name: 'Portraits' })).toBeVisible()
    await page.getByRole('button', { name: 'Open sidebar' }).tap()
    await gallery.board('Trash').tap()
    await expect(page.getByRole('main', { name: 'Trash' })).toBeVisible()
  })

  test('rates and tags from the selection bar', async ({ api, gallery, page }) => {
    await api.uploadImages(['a.png'])
    await page.goto('/')
    await gallery.longPress('a.png')
    await gallery.selectionBar.getByRole('button', { name: 'Rate' }).tap()
    await page.getByRole('menuitem', { name: '★★★', exact: true }).tap()
    await expect(page.locator('[data-badge=rating]')).toHaveAttribute('data-rating', '3')
    await gallery.selectionBar.getByRole('button', { name: 'More' }).tap()
    await page.getByRole('menuitem', { name: 'Tags…' }).tap()
    const tags = page.getByRole('dialog', { name: 'Tags' })
    await tags.getByRole('combobox').fill('keep')
    await tags.getByRole('option', { name: /New tag/ }).tap()
    await expect(tags.getByRole('option', { name: /keep/, checked: true })).toBeVisible()
    expect(await seriousFaultsInBothSchemes(page), 'sheet').toEqual([])
    await tags.getByRole('button', { name: 'Done' }).tap()
    await expect(tags).toBeHidden()
  })
})
