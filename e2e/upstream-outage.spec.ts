import { LANDING, pictures } from './fixtures/being-made.ts'
import { generationGraph } from './fixtures/generation-graph.ts'
import { expect } from './fixtures.ts'
import { test } from './upstream-fixtures.ts'

/** A machine under load takes its time to notice. */
const SOON = { timeout: 20_000 }

test('an InvokeAI that is gone is named, its pictures stay usable, and it is made good on return', async ({
  api,
  gallery,
  invokeAi,
  page,
}) => {
  const { image_name } = await api.uploadImage('cat.png')
  await gallery.open({ board: 'none' })
  await expect(gallery.tiles).toHaveCount(1)

  await invokeAi.kill()

  const banner = page.getByRole('alert').filter({ hasText: 'InvokeAI does not answer.' })
  await expect(banner).toBeVisible(SOON)
  await expect(page.getByText('nothing is running there')).toBeVisible()
  await gallery.image(image_name).dblclick()
  await expect(gallery.viewer).toBeVisible()
  await page.keyboard.press('Escape')
  await gallery.select(image_name)
  await gallery.selectionBar.getByRole('button', { name: 'Star' }).click()

  await invokeAi.start()
  await api.client.queue.enqueue({ graph: generationGraph() })

  await expect(banner).toBeHidden(SOON)
  await expect(pictures(gallery)).toHaveCount(2, LANDING)
  await expect
    .poll(() => invokeAi.library.images.get(image_name)?.starred, { timeout: 30_000 })
    .toBe(true)
})

test('a page that is opened while InvokeAI is away fills itself when it comes', async ({
  api,
  gallery,
  invokeAi,
  page,
}) => {
  await api.uploadImage('cat.png')
  await invokeAi.kill()
  await page.goto('/?board=none')
  await expect(page.getByText('InvokeAI does not answer.')).toBeVisible(SOON)

  await invokeAi.start()

  await expect(gallery.tiles).toHaveCount(1, SOON)
  await expect(page.getByText('InvokeAI does not answer.')).toBeHidden(SOON)
})

test.describe('behind a line', () => {
  test.use({ hasLine: true })

  test('an InvokeAI that falls silent is said to be slow, then gone, and back when it is', async ({
    api,
    gallery,
    line,
    page,
  }) => {
    test.setTimeout(180_000)
    await api.uploadImage('cat.png')
    await gallery.open({ board: 'none' })
    await expect(gallery.tiles).toHaveCount(1)

    line?.fallSilent()
    await expect(page.getByText('InvokeAI is slow to answer.')).toBeVisible({ timeout: 60_000 })
    const gone = page.getByRole('alert').filter({ hasText: 'InvokeAI does not answer.' })
    await expect(gone).toBeVisible({ timeout: 60_000 })

    await api.uploadImage('dog.png')
    line?.forgetAndSpeak()
    await expect(gone).toBeHidden(SOON)
    await expect(gallery.tiles).toHaveCount(2, SOON)
    await expect(page.getByRole('status').filter({ hasText: 'Live updates' })).toBeHidden(SOON)
  })
})

test('an InvokeAI that is slow is said to be, for as long as it is', async ({ invokeAi, page }) => {
  test.setTimeout(120_000)
  await page.goto('/')
  await expect(page.getByRole('main')).toBeVisible()
  const banner = page.getByText('InvokeAI is slow to answer.')

  invokeAi.slowDown(2_500)
  await expect(banner).toBeVisible({ timeout: 60_000 })

  invokeAi.slowDown(0)
  await expect(banner).toBeHidden({ timeout: 60_000 })
})

test.describe('an older InvokeAI', () => {
  test.use({ invokeAiOptions: { version: '5.9.1' } })

  test('says so until that is put away', async ({ page }) => {
    await page.goto('/')
    const banner = page.getByText('InvokeAI 5.9.1 is older than this gallery supports.')
    await expect(banner).toBeVisible()

    await page.getByRole('button', { name: 'Dismiss' }).click()

    await expect(banner).toBeHidden()
    await expect(page.getByRole('main')).toBeVisible()
  })
})
