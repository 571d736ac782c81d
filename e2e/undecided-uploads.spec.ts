import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'

test('asks about known files after a reload until the user decides', async ({
  api,
  gallery,
  page,
}) => {
  await api.uploadImages(['cat.png', 'dog.png'])
  await gallery.open({ board: 'none' })
  await gallery.dropFiles(['cat.png', 'dog.png'], { on: 'page' })
  await expect(gallery.tray).toContainText('2 already here')
  await expect.poll(() => persistedFileCount(page)).toBe(2)
  const sent: string[] = []
  await page.reload()
  page.on('request', (request) => {
    if (new URL(request.url()).pathname.startsWith('/api/') && request.url().includes('/upload'))
      sent.push(request.url())
  })
  await expect(gallery.tray).toContainText('2 already here')
  expect(sent).toEqual([])

  await gallery.tray.getByRole('button', { name: 'Skip duplicates' }).click()
  await expect(gallery.tray).toBeHidden()
  await expect.poll(() => persistedFileCount(page)).toBe(0)
  await page.reload()
  await expect(gallery.tiles).toHaveCount(2)
  await expect(gallery.tray).toBeHidden()

  await gallery.dropFiles(['cat.png', 'dog.png'], { on: 'page' })
  await gallery.tray.getByRole('button', { name: 'Upload anyway' }).click()
  await expect(gallery.tiles).toHaveCount(4)
  const names = async () => (await api.namesOn())?.toSorted()
  await expect.poll(names).toEqual(['cat.png', 'cat.png', 'dog.png', 'dog.png'])
})

/** Counts the files persisted for a reload whose record says that they are known. */
function persistedFileCount(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const done = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result)
        request.onerror = () => reject(request.error)
      })
    const database = await done(indexedDB.open('tessera-uploads'))
    const all = await done(database.transaction('uploads').objectStore('uploads').getAll())
    database.close()
    return all.filter(({ file, upload }) => file !== null && upload.status === 'known').length
  })
}
