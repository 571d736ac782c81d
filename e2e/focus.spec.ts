import type { Locator, Page } from '@playwright/test'
import {
  drawFolder,
  IMPORT_TIMEOUT,
  importCard,
  importFolder,
} from './fixtures/folder-to-import.ts'
import type { GalleryPage } from './fixtures/gallery-page.ts'
import { expect, test } from './fixtures.ts'

// Newest first: c b a.
test.beforeEach(async ({ api, gallery }) => {
  for (const name of ['a.png', 'b.png', 'c.png']) await api.uploadImage(name)
  await gallery.open()
})

/** Expects the image that the grid's keys act on. */
async function expectFocusOn(gallery: GalleryPage, fileName: string) {
  await expect(gallery.grid).toBeFocused()
  const id = await gallery.image(fileName).getAttribute('id')
  await expect(gallery.grid).toHaveAttribute('aria-activedescendant', id ?? 'no such tile')
}

test('focuses the last viewed image after the viewer closes, also after a reload', async ({
  gallery,
  page,
}) => {
  await gallery.image('c.png').dblclick()
  await expect(gallery.viewer).toContainText('1 of 3')
  await page.keyboard.press('ArrowRight')
  await expect(gallery.viewer).toContainText('2 of 3')
  await page.keyboard.press('ArrowRight')
  await expect(gallery.viewer).toContainText('3 of 3')

  await page.keyboard.press('Escape')
  await expect(gallery.viewer).toBeHidden()
  await expectFocusOn(gallery, 'a.png')
  await page.keyboard.press('ArrowLeft')
  await expectFocusOn(gallery, 'b.png')

  await gallery.image('c.png').dblclick()
  await expect(gallery.viewer).toContainText('1 of 3')
  await page.keyboard.press('ArrowRight')
  await expect(gallery.viewer).toContainText('2 of 3')
  await page.reload()
  await expect(gallery.viewer).toContainText('2 of 3')
  await page.goBack()
  await expect(gallery.viewer).toBeHidden()
  await expectFocusOn(gallery, 'b.png')
})

interface Loss {
  what: string
  /** Renders the element that will lose the focus. */
  prepare: (gallery: GalleryPage, page: Page) => Promise<unknown>
  /** Removes the focused element, by keyboard. */
  lose: (gallery: GalleryPage, page: Page) => Promise<void>
  /** The element that must be focused afterwards. The default is the grid. */
  expected?: (gallery: GalleryPage) => Locator
}

const toastButton = (page: Page, name: string) =>
  page
    .getByRole('region', { name: /^Messages/ })
    .getByRole('button', { name })
    .last()

const losses: readonly Loss[] = [
  {
    what: 'Clear selection',
    prepare: (gallery) => gallery.select('a.png', 'b.png'),
    lose: (gallery) => gallery.selectionBar.getByRole('button', { name: 'Clear' }).press('Enter'),
  },
  {
    what: 'Undo of a message',
    prepare: (gallery) => gallery.deleteImage('a.png'),
    lose: (_, page) => toastButton(page, 'Undo').press('Enter'),
  },
  {
    what: 'Dismiss of a message',
    prepare: (gallery) => gallery.deleteImage('a.png'),
    lose: (_, page) => toastButton(page, 'Dismiss').press('Enter'),
  },
  {
    what: 'the x of a filter chip',
    prepare: (_, page) => page.goto('/?kind=assets'),
    lose: (_, page) => page.getByRole('button', { name: /clear filter/ }).press('Enter'),
  },
  {
    what: 'Close queue, opened by key',
    prepare: async (_, page) => {
      await expect(page.getByRole('button', { name: 'Queue' })).toBeVisible()
      await page.keyboard.press('q')
    },
    lose: (_, page) => page.getByRole('button', { name: 'Close queue' }).press('Enter'),
  },
  {
    what: 'the second Esc in search',
    prepare: (gallery) => gallery.search.fill('b.png'),
    lose: async (gallery) => {
      await gallery.search.press('Escape')
      await gallery.search.press('Escape')
    },
  },
  {
    what: 'Delete in the viewer, with the focus in the details',
    prepare: async (gallery, page) => {
      await gallery.image('c.png').dblclick()
      await expect(gallery.viewer).toContainText('1 of 2')
      await page.keyboard.press('i')
      await expect(gallery.details).toContainText('c.png')
    },
    lose: (gallery) => gallery.details.getByRole('button').last().press('Delete'),
    expected: (gallery) => gallery.viewer,
  },
  {
    what: 'Close import',
    prepare: async (gallery, page) => {
      await page.keyboard.press('Escape')
      await importFolder(page, await drawFolder(gallery, 'Pictures', ['d.png']))
      await expect(importCard(page, 'Pictures')).toContainText('Imported', IMPORT_TIMEOUT)
    },
    lose: (_, page) => page.getByRole('button', { name: 'Close import' }).press('Enter'),
  },
]

test('never loses the focus to the document body @long', async ({ gallery, page }) => {
  for (const { what, prepare, lose, expected } of losses) {
    await test.step(what, async () => {
      await prepare(gallery, page)

      await lose(gallery, page)

      await expect(expected?.(gallery) ?? gallery.grid).toBeFocused()
    })
  }
})

test('reaches the images with Tab and Enter, and shows the focus with Ctrl+arrow', async ({
  gallery,
  page,
}) => {
  await expect(gallery.image('c.png')).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Skip to images' })).toBeFocused()
  await expect(page.getByRole('button', { name: 'Skip to images' })).toBeInViewport()
  await page.keyboard.press('Enter')
  await expect(gallery.grid).toBeFocused()

  await gallery.image('c.png').click()
  await page.keyboard.press('Control+ArrowRight')
  await expectFocusOn(gallery, 'b.png')
  const frame = gallery.image('b.png').locator(':scope > span').last()
  await expect(frame).toHaveCSS('outline-style', 'solid')
})
