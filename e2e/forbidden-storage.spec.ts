import { expect, test } from './fixtures.ts'

/** Throws where Chromium does if the user or a company blocks site data. */
function forbidStorage(): void {
  const forbid = () => {
    throw new DOMException('Access is denied for this document.', 'SecurityError')
  }
  for (const area of ['localStorage', 'sessionStorage']) {
    Object.defineProperty(window, area, { get: forbid })
  }
  IDBFactory.prototype.open = forbid
  navigator.locks.request = async () => forbid()
}

test('works where the browser forbids storage, and says so once', async ({ gallery, page }) => {
  await page.addInitScript(forbidStorage)
  await gallery.open()
  await expect(page.getByText('This browser does not let the gallery store data.')).toBeVisible()

  await gallery.dropFiles(['cat.png'], { on: 'page' })
  await expect(gallery.image('cat.png')).toBeVisible()
  await gallery.star('cat.png')
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await gallery.openBoard('Assets')

  await expect(gallery.image('cat.png')).toBeVisible()
  await expect(page.getByText('does not let the gallery store data')).toBeHidden()
})
