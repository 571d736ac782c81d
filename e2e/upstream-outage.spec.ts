import { generationGraph } from './fixtures/generation-graph.ts'
import { IMAGE_TIMEOUT, pictures } from './fixtures/generations.ts'
import { expect } from './fixtures.ts'
import { test } from './upstream-fixtures.ts'

test('names an unreachable InvokeAI, keeps its images usable, and sends changes later', async ({
  api,
  gallery,
  invokeAi,
  page,
}) => {
  const { image_name } = await api.uploadImage('cat.png')
  await page.clock.install()
  await gallery.open({ board: 'none' })
  await expect(gallery.tiles).toHaveCount(1)
  const texts: string[] = []
  await page.exposeFunction('record', (text: string) => texts.push(text))
  await page.evaluate(() => {
    const { record } = window as unknown as { record(text: string): void }
    let last = ''
    new MutationObserver(() => {
      const text = /Trying again(?: in \d+ s|…)/.exec(document.body.textContent)?.[0] ?? ''
      if (text !== last) record(text)
      last = text
    }).observe(document.body, { subtree: true, childList: true, characterData: true })
  })

  await invokeAi.kill()

  const banner = page.getByRole('alert').filter({ hasText: 'InvokeAI does not answer.' })
  await expect(banner).toBeVisible()
  await expect(page.getByText('nothing is running there')).toBeVisible()
  const countRetries = async () => {
    await page.clock.runFor(200)
    return texts.length
  }
  await expect.poll(countRetries, { intervals: [10] }).toBeGreaterThanOrEqual(9)
  const shown = texts.map((text) => text.replace('Trying again in ', ''))
  // A retry that fails within a frame is not shown: the next countdown may follow "1 s".
  const rises = shown.filter((text, index) => {
    const before = shown[index - 1] ?? '1 s'
    return /\d/.test(text) && /[2-9]/.test(before) && text > before
  })
  expect(rises, `The countdown went up: ${shown.join(', ')}`).toEqual([])

  await gallery.image(image_name).dblclick()
  await expect(gallery.viewer).toBeVisible()
  await page.keyboard.press('Escape')
  await gallery.select(image_name)
  await gallery.selectionBar.getByRole('button', { name: 'Star' }).click()

  await invokeAi.start()
  await api.client.queue.enqueue({ graph: generationGraph() })

  await expect(banner).toBeHidden()
  await expect(pictures(gallery)).toHaveCount(2, IMAGE_TIMEOUT)
  const image = () => invokeAi.client.images.get(image_name)
  await expect.poll(image).toMatchObject({ starred: true })
})

test('loads a page that was opened during an outage when InvokeAI returns', async ({
  api,
  gallery,
  invokeAi,
  page,
}) => {
  await api.uploadImage('cat.png')
  await invokeAi.kill()
  await page.goto('/?board=none')
  await expect(page.getByText('InvokeAI does not answer.')).toBeVisible()

  await invokeAi.start()

  await expect(gallery.tiles).toHaveCount(1)
  await expect(page.getByText('InvokeAI does not answer.')).toBeHidden()
})

test.describe('with an interruptible connection', () => {
  // The usual times are longer. src/integration/upstream-silence.test.ts covers the server's behavior with them.
  test.use({
    hasRelay: true,
    watch: { everyMs: 100, soonMs: 100, slowMs: 300, downMs: 4_000 },
  })

  test('reports a slow or silent InvokeAI for as long as it lasts', async ({
    api,
    gallery,
    invokeAi,
    relay,
    page,
  }) => {
    await api.uploadImage('cat.png')
    await gallery.open({ board: 'none' })
    await expect(gallery.tiles).toHaveCount(1)
    const slow = page.getByText('InvokeAI is slow to answer.')
    const gone = page.getByRole('alert').filter({ hasText: 'InvokeAI does not answer.' })

    invokeAi.slowDown(600)
    await expect(slow).toBeVisible()
    invokeAi.slowDown(0)
    await expect(slow).toBeHidden()

    relay?.stall()
    await expect(gone).toBeVisible()
    await api.uploadImage('dog.png')
    relay?.resumeWithoutConnections()
    await expect(gone).toBeHidden()
    await expect(gallery.tiles).toHaveCount(2)
    await expect(page.getByRole('status').filter({ hasText: 'Live updates' })).toBeHidden()
  })
})

test.describe('an older InvokeAI', () => {
  test.use({ invokeAiOptions: { version: '5.9.1' } })

  test('is reported until the user dismisses the message', async ({ page }) => {
    await page.goto('/')
    const banner = page.getByText('InvokeAI 5.9.1 is older than this gallery supports.')
    await expect(banner).toBeVisible()

    await page.getByRole('button', { name: 'Dismiss' }).click()

    await expect(banner).toBeHidden()
    await expect(page.getByRole('main')).toBeVisible()
  })
})
