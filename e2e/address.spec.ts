import { expect, test } from './fixtures.ts'

test.beforeEach(async ({ api }) => {
  await api.createBoard('Portraits')
  await api.uploadImages(['castle-1.png', 'dog.png', 'castle-2.png'], { board: 'Portraits' })
})

test('keeps board, search and order after a reload', async ({ gallery, page }) => {
  await gallery.open({ board: 'Portraits' })
  await gallery.sort('Oldest first')
  await gallery.search.fill('castle')
  await expect(page).toHaveURL(/q=castle/)

  await page.reload()

  await expect(gallery.board('Portraits')).toHaveAttribute('aria-current', 'page')
  await expect(gallery.search).toHaveValue('castle')
  await expect.poll(() => gallery.shownNames()).toEqual(['castle-1.png', 'castle-2.png'])
})

test('closes a dialog with Back before it returns to the previous board @long', async ({
  gallery,
  page,
}) => {
  await gallery.open()
  await gallery.openBoard('Portraits')
  await gallery.openBoard('Assets')
  const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await page.keyboard.press('Shift+?')
  await expect(dialog).toBeVisible()

  await page.goBack()
  await expect(dialog).toBeHidden()
  await expect(gallery.board('Assets')).toHaveAttribute('aria-current', 'page')
  await page.goBack()
  await expect(gallery.board('Portraits')).toHaveAttribute('aria-current', 'page')
  await page.goBack()
  await expect(gallery.board('All images')).toHaveAttribute('aria-current', 'page')
  await page.goForward()
  await expect(gallery.board('Portraits')).toHaveAttribute('aria-current', 'page')
})

test('keeps a navigation that immediately follows the closing of the viewer @long', async ({
  gallery,
  page,
}) => {
  await gallery.open()
  await gallery.openBoard('Portraits')
  const assets = await gallery.board('Assets').elementHandle()
  await gallery.image('dog.png').dblclick()
  await expect(gallery.viewer).toBeVisible()

  // Both in one task, as on a machine that is slow to navigate back.
  await assets?.evaluate((board: HTMLElement) => {
    const pressEscape = () =>
      document.activeElement?.dispatchEvent(
        new KeyboardEvent('keydown', { key: 'Escape', code: 'Escape', bubbles: true }),
      )
    pressEscape()
    pressEscape()
    board.click()
  })

  await expect(gallery.board('Assets')).toHaveAttribute('aria-current', 'page')
  await expect(gallery.viewer).toBeHidden()
  await page.goBack()
  await expect(gallery.board('Portraits')).toHaveAttribute('aria-current', 'page')
  await expect(gallery.viewer).toBeHidden()
})

test('opens a link to an image in a new window that shows later changes @long', async ({
  api,
  context,
  gallery,
  page,
}) => {
  await gallery.open({ board: 'Portraits' })
  await gallery.image('dog.png').dblclick()
  await expect(gallery.viewer).toBeVisible()
  const other = await context.newPage()
  await other.goto(page.url())
  const viewer = other.getByRole('dialog', { name: 'Image viewer' })
  await expect(viewer).toContainText('2 of 3')
  await other.keyboard.press('Escape')
  await expect(viewer).toBeHidden()
  await expect(other.getByRole('gridcell')).toHaveCount(3)

  await page.keyboard.press('Escape')
  await expect(gallery.viewer).toBeHidden()
  await gallery.deleteImage('castle-1.png')
  await gallery.star('dog.png')

  await expect(other.getByRole('gridcell')).toHaveCount(2)
  await expect(
    other
      .getByRole('gridcell')
      .filter({ has: other.locator('[data-picture="dog.png"]') })
      .getByRole('button', { name: 'Unstar' }),
  ).toBeAttached()
  await expect.poll(() => api.trashedNames()).toEqual(['castle-1.png'])
})

test('keeps the chosen light or dark theme @long', async ({ gallery, page }) => {
  await page.emulateMedia({ colorScheme: 'light' })
  await gallery.open()
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  const light = await background()

  await page.getByRole('button', { name: 'Theme' }).click()
  await page.getByRole('menuitemradio', { name: 'Dark' }).click()
  await expect.poll(background).not.toBe(light)
  const dark = await background()
  await page.reload()

  await expect.poll(background).toBe(dark)
})

test('scrolls the sidebar to the board of an address, and to one from the palette @long', async ({
  api,
  gallery,
  page,
}) => {
  // The first boards are at the end of the list.
  const names = Array.from({ length: 60 }, (_, at) => `Board ${at + 1}`)
  for (const name of names) await api.createBoard(name)

  await gallery.open({ board: 'Board 1' })
  await expect(gallery.board('Board 1')).toBeInViewport({ ratio: 1 })
  await expect(gallery.board('Board 60')).toBeHidden()
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('dialog').getByRole('combobox').fill('Board 60')
  await page.keyboard.press('Enter')

  await expect(gallery.board('Board 60')).toHaveAttribute('aria-current', 'page')
  await expect(gallery.board('Board 60')).toBeInViewport({ ratio: 1 })
})
