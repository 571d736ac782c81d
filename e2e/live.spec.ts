import type { Browser, Page } from '@playwright/test'
import { startNginx } from '#testing/engines/nginx-server.ts'
import type { LibraryMaker } from '#testing/library/library-maker.ts'
import { GalleryPage } from './fixtures/gallery-page.ts'
import { holdOver, pickUp } from './fixtures/pointer.ts'
import { farthestMove, recordPositions } from './fixtures/record-positions.ts'
import { expect, test } from './fixtures.ts'

/** Changes come from a third client: `api`. The pages never have to be focused or reloaded. */

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

/** Opens the page in another browser context, which shares no storage, socket or cache with the first one. */
async function openOther(
  browser: Browser,
  api: LibraryMaker,
  { baseURL, ...options }: { baseURL: string } & Partial<typeof PHONE>,
): Promise<GalleryPage> {
  const context = await browser.newContext({ baseURL, reducedMotion: 'reduce', ...options })
  return new GalleryPage(await context.newPage(), api, test.info().outputDir)
}

/** Marks the elements of the pictures in the grid. They belong to images: the cells around them to places. */
const markPictures = ({ tiles }: GalleryPage) =>
  tiles.locator('img').evaluateAll((pictures) => {
    for (const picture of pictures) Object.assign(picture, { mark: 1 })
  })

/** Returns the file names of the images whose picture was loaded again or is missing. */
const newPictures = ({ tiles }: GalleryPage) =>
  tiles.evaluateAll((cells) =>
    cells
      .filter((cell) => !('mark' in (cell.querySelector('img') ?? {})))
      .map((cell) => cell.querySelector<HTMLElement>('[data-picture]')?.dataset.picture),
  )

/** Returns the name of the image with the focus. */
const focusedName = ({ grid }: GalleryPage) =>
  grid.evaluate((node) => {
    const tile = document.getElementById(node.getAttribute('aria-activedescendant') ?? '')
    return document.activeElement === node ? tile?.dataset.name : undefined
  })

/** Records the thumbnails that a page requests from now on. */
function watchThumbnails(page: Page): string[] {
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/thumbnail')) asked.push(request.url())
  })
  return asked
}

/** Returns the names of images by file name. */
async function namesBy(api: LibraryMaker): Promise<Record<string, string>> {
  const { items } = await api.client.images.page({}, { offset: 0, limit: -1 })
  return Object.fromEntries(items.map((image) => [image.file_name, image.image_name]))
}

test('shows changes of another client in a desktop and a phone, and loads no picture again', async ({
  api,
  baseURL,
  browser,
  gallery,
  page,
}) => {
  const { boardId } = await api.createBoard('Castles')
  await api.uploadImages(['a.png', 'b.png', 'c.png', 'd.png'])
  const names = await namesBy(api)
  const phone = await openOther(browser, api, { baseURL: baseURL ?? '', ...PHONE })
  for (const one of [gallery, phone]) {
    await one.page.goto('/')
    await expect(one.tiles).toHaveCount(4)
    await expect(one.tiles.locator('img')).toHaveCount(4)
  }
  await gallery.select('b.png', 'c.png')
  await page.waitForLoadState('networkidle')
  for (const one of [gallery, phone]) await markPictures(one)
  const asked = watchThumbnails(page)

  await api.uploadImage('e.png')
  for (const one of [gallery, phone]) await expect(one.image('e.png')).toBeVisible()
  await api.client.images.star([names['b.png'] ?? ''])
  for (const one of [gallery, phone])
    await expect(one.image('b.png').getByRole('button', { name: 'Unstar' })).toBeVisible()
  await api.client.trash.trashImages([names['a.png'] ?? ''])
  await api.client.images.move([names['d.png'] ?? ''], boardId)
  await api.client.boardOperations.update(boardId, { board_name: 'Towers' })
  for (const one of [gallery, phone]) await expect(one.image('a.png')).toHaveCount(0)
  await expect(gallery.board('Towers')).toBeVisible()
  await expect(gallery.boardCount('Towers')).toHaveText('1')

  expect((await gallery.selectedNames()).toSorted()).toEqual(['b.png', 'c.png'])
  expect(await focusedName(gallery)).toBe(names['c.png'])
  for (const one of [gallery, phone]) expect(await newPictures(one)).toEqual(['e.png'])
  expect(asked.filter((url) => !url.includes(names['d.png'] ?? '')).length).toBeLessThanOrEqual(1)
  await phone.page.context().close()
})

test('keeps viewer, dialog, menu, name field and drag while another client changes the library @long', async ({
  api,
  gallery,
  page,
}) => {
  const { client } = api
  const { boardId } = await api.createBoard('Castles')
  await api.uploadImages(['a.png', 'b.png', 'c.png', 'd.png'])
  const names = await namesBy(api)
  const name = (fileName: string) => names[fileName] ?? ''
  await page.goto('/')
  await expect(gallery.tiles.locator('img')).toHaveCount(4)
  await gallery.sort('Name')

  // The viewer: the image stays, its neighbors change, then it is deleted itself.
  await gallery.image('c.png').dblclick()
  await expect(gallery.viewer).toContainText('3 of 4')
  const picture = gallery.viewer.getByRole('img').first()
  await picture.evaluate((node) => Object.assign(node, { mark: 1 }))
  await client.trash.trashImages([name('a.png')])
  await expect(gallery.viewer).toContainText('2 of 3')
  await client.images.star([name('c.png')])
  await expect(gallery.viewer.getByRole('button', { name: 'Unstar' })).toBeVisible()
  expect(await picture.evaluate((node) => 'mark' in node)).toBe(true)
  await client.trash.trashImages([name('c.png')])
  await expect(gallery.viewer).toContainText('This image was deleted. It is in the trash.')
  expect(await picture.evaluate((node) => 'mark' in node)).toBe(true)
  await gallery.viewer.getByRole('button', { name: 'Show the next image' }).click()
  await expect(gallery.viewer).toContainText('2 of 2')
  await page.keyboard.press('Escape')
  await expect(gallery.viewer).toBeHidden()
  await client.trash.restore({ imageNames: [name('a.png'), name('c.png')] })
  await expect(gallery.tiles).toHaveCount(4)

  // The dialog that moves images: the typed text and the focus stay, and a new board is offered.
  await gallery.select('b.png')
  await page.keyboard.press('m')
  await page.getByRole('dialog').getByRole('combobox').fill('Po')
  await api.createBoard('Portraits')
  await expect(page.getByRole('option', { name: /^Portraits/ })).toBeVisible()
  await expect(page.getByRole('dialog').getByRole('combobox')).toHaveValue('Po')
  await expect(page.getByRole('dialog').getByRole('combobox')).toBeFocused()
  await page.keyboard.press('Escape')

  // A context menu.
  await gallery.image('a.png').click({ button: 'right' })
  const menu = page.getByRole('menu')
  await menu.evaluate((node) => Object.assign(node, { mark: 1 }))
  await api.uploadImage('e.png')
  // An open menu hides the rest of the page from roles.
  await expect(page.locator('[data-picture="e.png"]')).toBeVisible()
  expect(await menu.evaluate((node) => 'mark' in node)).toBe(true)
  await page.keyboard.press('Escape')
  await expect(menu).toBeHidden()

  // A name field: its row stays, although the new name is last in the order of the list.
  await page.getByRole('button', { name: 'Sort boards' }).click()
  await page.getByRole('menuitemradio', { name: 'Name' }).click()
  await page.keyboard.press('Escape')
  await gallery.chooseForBoard('Castles', 'Rename')
  const field = page.getByRole('textbox', { name: 'Board name' })
  await field.pressSequentially('Tow')
  const { top } = await field.evaluate((node) => node.getBoundingClientRect())
  await client.boardOperations.update(boardId, { board_name: 'Zoo' })
  await expect(page.getByText(/^Renamed to “Zoo” meanwhile/)).toBeVisible()
  await expect(field).toBeFocused()
  await page.keyboard.type('ers')
  await expect(field).toHaveValue('Towers')
  expect(await field.evaluate((node) => node.getBoundingClientRect().top)).toBe(top)
  await page.keyboard.press('Enter')
  await expect.poll(() => api.boardNames()).toContain('Towers')

  // A drag.
  await pickUp(page, gallery.image('b.png'))
  await holdOver(page, gallery.board('Towers'))
  await client.trash.trashImages([name('a.png')])
  await expect(gallery.image('a.png')).toHaveCount(0)
  await holdOver(page, gallery.board('Towers'))
  await page.mouse.up()
  await expect.poll(() => api.namesOn('Towers')).toEqual(['b.png'])

  // Undo of a move that another client has partly changed since.
  await gallery.select('d.png', 'e.png')
  await page.keyboard.press('m')
  await page.getByRole('dialog').getByRole('combobox').fill('Portraits')
  await page.keyboard.press('Enter')
  await expect.poll(async () => (await api.namesOn('Portraits'))?.length).toBe(2)
  await client.images.move([name('d.png')], boardId)
  await page.keyboard.press('ControlOrMeta+z')
  await expect(gallery.toast('Undo skipped 1 of 2 images')).toContainText('It was moved since.')
  await expect.poll(() => api.namesOn('Portraits')).toEqual([])
  expect(await api.namesOn('Towers')).toContain('d.png')
})

test('says that the open board was deleted, on a desktop and a phone @long', async ({
  api,
  baseURL,
  browser,
  gallery,
}) => {
  const { boardId } = await api.createBoard('Castles')
  await api.uploadImage('a.png', { board: 'Castles' })
  const phone = await openOther(browser, api, { baseURL: baseURL ?? '', ...PHONE })
  for (const one of [gallery, phone]) {
    await one.page.goto(`/?board=${boardId}`)
    await expect(one.image('a.png')).toBeVisible()
  }

  await api.client.trash.trashBoard(boardId, { includeImages: true })
  for (const { page } of [gallery, phone]) {
    await expect(page.getByRole('heading', { name: '“Castles” was deleted' })).toBeVisible()
  }

  await phone.page.getByRole('button', { name: 'Restore the board' }).tap()
  for (const one of [gallery, phone]) await expect(one.image('a.png')).toBeVisible()
  await phone.page.context().close()
})

test('shows covers, the order by hand and the trash as other clients change them @long', async ({
  api,
  gallery,
  page,
}) => {
  const { boardOperations, trash } = api.client
  const { boardId } = await api.createBoard('Castles')
  await api.createBoard('Cats')
  await api.uploadImages(['a.png', 'b.png'], { board: 'Castles' })
  const { 'a.png': a = '' } = await namesBy(api)
  await page.goto('/?board=trash')
  await page.getByRole('button', { name: 'Sort boards' }).click()
  await page.getByRole('menuitemradio', { name: 'By hand' }).click()
  await page.keyboard.press('Escape')
  await expect(gallery.boards).toHaveText([/Cats/, /Castles/])

  await boardOperations.update(boardId, { cover_image_name: a, position: 'A'.padEnd(27, 'z') })
  await expect(gallery.boards).toHaveText([/Castles/, /Cats/])
  await expect(gallery.board('Castles').locator('img')).toHaveAttribute('src', new RegExp(a))

  await trash.trashImages([a])
  await expect(gallery.image('a.png')).toBeVisible()
  await trash.restore({ imageNames: [a] })
  await expect(gallery.image('a.png')).toHaveCount(0)
})

test.describe('in a library of 2,000 images', () => {
  test.use({ libraryOf: 2_000 })

  test('keeps the place, and counts new images above it @long', async ({
    api,
    baseURL,
    browser,
    gallery,
  }) => {
    const phone = await openOther(browser, api, { baseURL: baseURL ?? '', ...PHONE })
    const pages = [gallery, phone]
    const ends: (() => Promise<Record<string, string[]>>)[] = []
    for (const one of pages) {
      await one.page.goto('/')
      await one.scrollTo(0.5)
      await markPictures(one)
      ends.push(await recordPositions(one.grid, (await one.namesOnScreen()).slice(0, 4)))
    }

    await api.uploadImages(['x.png', 'y.png', 'z.png'])
    for (const { page } of pages) {
      await expect(page.getByRole('button', { name: '3 new' })).toBeVisible()
    }
    const { 'x.png': x = '' } = await namesBy(api)
    await api.client.trash.trashImages([x])
    for (const { page } of pages) {
      await expect(page.getByRole('button', { name: '2 new' })).toBeVisible()
    }

    for (const end of ends) {
      for (const places of Object.values(await end())) expect(farthestMove(places)).toBe(0)
    }
    for (const one of pages) expect(await newPictures(one)).toEqual([])
    await gallery.page.getByRole('button', { name: '2 new' }).click()
    await expect(gallery.image('z.png')).toBeVisible()
    await phone.page.context().close()
  })
})

test('behind nginx without upgrades, shows changes and says why they are slow @long', async ({
  api,
  browser,
  server,
}) => {
  const nginx = await startNginx(server.url)
  try {
    const gallery = await openOther(browser, api, { baseURL: nginx.url })
    const { page } = gallery
    await page.goto('/')
    await expect(gallery.sidebar).toBeVisible()
    await page.waitForLoadState('networkidle')

    await api.uploadImage('a.png')
    await expect(gallery.image('a.png')).toBeVisible()
    await expect(page.getByText('Changes of others appear after a few seconds.')).toBeVisible()
    const [guide] = await Promise.all([
      page.context().waitForEvent('page'),
      page.getByRole('link', { name: 'Proxies' }).click(),
    ])
    await expect(guide.getByRole('heading', { name: 'Live updates' })).toBeVisible()
    await page.context().close()
  } finally {
    await nginx.stop()
  }
})
