import type { Page } from '@playwright/test'
import { LANDING, pictures } from './fixtures/being-made.ts'
import { copyOf, failing } from './fixtures/graphs.ts'
import { expect, test } from './fixtures.ts'

const LIVE = '[aria-live]:not([aria-live=off]), [role=status], [role=alert]'

/** Keeps what screen readers would say from now on. */
async function listen(page: Page): Promise<() => Promise<string[]>> {
  const heard = await page.evaluateHandle((live) => {
    const said: string[] = []
    const watcher = new MutationObserver((changes) => {
      const regions = changes.flatMap(({ target }) => {
        const element = target instanceof Element ? target : target.parentElement
        return element?.closest(live) ?? []
      })
      for (const region of new Set(regions)) said.push(region.textContent ?? '')
    })
    watcher.observe(document.body, { childList: true, characterData: true, subtree: true })
    return said
  }, LIVE)
  return () => heard.evaluate((said) => [...said])
}

test.beforeEach(async ({ page }) => {
  await page.goto('/')
  await page.getByRole('button', { name: /^Queue/ }).click()
  await expect(page.getByRole('heading', { name: 'The queue is empty' })).toBeVisible()
})

test('what was made is said once, with the queue open', async ({ api, gallery, page }) => {
  const cat = await api.uploadImage('cat.png')
  await page.reload()
  await expect(gallery.tiles).toHaveCount(1)
  const heard = await listen(page)

  await api.client.queue.enqueue({ graph: copyOf(cat), runs: 2 })
  await expect(pictures(gallery)).toHaveCount(3, LANDING)
  await expect(page.getByText('Finished generating on Assets')).toBeAttached()

  expect((await heard()).filter((text) => /generating|done/i.test(text))).toEqual([
    'Generating on Assets',
    'Finished generating on Assets',
  ])
})

test('a failure is said once, with the queue open', async ({ api, gallery, page }) => {
  const heard = await listen(page)

  await api.client.queue.enqueueOne({ graph: failing })
  await expect(gallery.toast('A queue item failed.')).toBeVisible()
  await expect(page.getByText('Stopped generating on Assets')).toBeAttached()

  const ofFailure = (await heard()).filter((text) => /fail/i.test(text))
  expect(ofFailure).toEqual([expect.stringContaining('A queue item failed.')])
  expect(await page.locator(LIVE).locator(LIVE).count(), 'regions within regions').toBe(0)
})
