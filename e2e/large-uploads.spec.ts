import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { paddedClip } from '#testing/library/padded-clip.ts'
import { type Relay, startRelay } from '#testing/server/relay.ts'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'
import type { GalleryPage } from './fixtures/gallery-page.ts'
import { test as base, expect } from './fixtures.ts'

const MB = 1_000_000
const SIZE = 120 * MB

/**
 * Bytes of the page and of other requests, and those on their way at a break, which depend on the machine. An upload
 * that began again would send at least 50 MB more.
 */
const OTHER_BYTES = 30 * MB

/** The page reaches the server through a relay. The tests reach it directly. */
const test = base.extend<{ relay: Relay; clip: { path: string; hash: string } }>({
  relay: async ({ server }, use) => {
    const relay = await startRelay(server.url)
    await use(relay)
    await relay.close()
  },
  baseURL: async ({ relay }, use) => use(relay.url),
  clip: async ({ browserName: _ }, use) => {
    const folder = await createTemporaryFolder()
    const bytes = await paddedClip(SIZE)
    const path = join(folder, 'holiday.mp4')
    await writeFile(path, bytes)
    await use({ path, hash: createHash('sha256').update(bytes).digest('hex') })
    await removeFolder(folder)
  },
})

const choose = async (page: Page, gallery: GalleryPage, path: string) => {
  const chooser = page.waitForEvent('filechooser')
  await gallery.add('Upload files…')
  await (await chooser).setFiles(path)
}

test('a large upload goes on after a break and after a reload', async ({
  clip,
  gallery,
  page,
  relay,
  server,
}) => {
  page.on('dialog', (dialog) => dialog.accept())
  await gallery.open({ board: 'none' })
  relay.breakAfter(50 * MB)
  relay.cutAfter(90 * MB)

  await choose(page, gallery, clip.path)
  await expect(gallery.tray).toContainText('No connection')
  await expect(gallery.tray).toContainText(/\d MiB of 114 MiB/)
  await relay.restore()
  await page.reload()

  await expect(gallery.tiles).toHaveCount(1, { timeout: 60_000 })
  expect(relay.forwardedBytes).toBeLessThan(SIZE + OTHER_BYTES)
  const answer = await fetch(`${server.url}/api/v1/images/?kind=all`)
  expect(await answer.json()).toMatchObject({
    items: [{ file_name: 'holiday.mp4', content_hash: clip.hash }],
  })
})

test('a canceled large upload leaves nothing at the server @long', async ({
  clip,
  gallery,
  page,
  relay,
  server,
}) => {
  await gallery.open({ board: 'none' })
  relay.cutAfter(50 * MB)
  await choose(page, gallery, clip.path)
  await expect(gallery.tray).toContainText('No connection')
  await relay.restore()
  const discarded = page.waitForResponse((answer) => answer.request().method() === 'DELETE')
  await gallery.tray.getByRole('button', { name: 'Cancel holiday.mp4' }).click()

  expect((await discarded).status()).toBe(204)
  const place = (await discarded).url().replace(relay.url, server.url)
  const headers = { 'tus-resumable': '1.0.0' }
  expect((await fetch(place, { method: 'HEAD', headers })).status).toBe(404)
})

test('a file that the browser could not store goes on when it is added again @long', async ({
  clip,
  gallery,
  page,
  relay,
}) => {
  page.on('dialog', (dialog) => dialog.accept())
  await gallery.open({ board: 'none' })
  relay.cutAfter(90 * MB)
  await choose(page, gallery, clip.path)
  await expect(gallery.tray).toContainText('No connection')
  await expect.poll(() => forgetFiles(page)).toBe(1)
  await relay.restore()
  await page.reload()
  await expect(gallery.tray).toContainText('Add the file again')
  await page.reload()
  await expect(gallery.tray).toContainText('Add the file again')

  await choose(page, gallery, clip.path)

  await expect(gallery.tray).toContainText('1 uploaded')
  await expect(gallery.tiles).toHaveCount(1)
  expect(relay.forwardedBytes).toBeLessThan(SIZE + OTHER_BYTES)
  await page.reload()
  await expect(gallery.tiles).toHaveCount(1)
  await expect(gallery.tray).toBeHidden()
})

/** Deletes the files of stored uploads, as if there had been no room for them. Returns their number. */
const forgetFiles = (page: Page): Promise<number> =>
  page.evaluate(async () => {
    const done = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result)
        request.onerror = () => reject(request.error)
      })
    const database = await done(indexedDB.open('tessera-uploads'))
    const store = database.transaction('uploads', 'readwrite').objectStore('uploads')
    const all = await done(store.getAll())
    const stored = all.filter(({ file }) => file !== null)
    for (const record of stored) {
      await done(store.put({ ...record, file: null }, record.upload.uploadId))
    }
    database.close()
    return stored.length
  })
