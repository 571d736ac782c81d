import type { Locator, Page } from '@playwright/test'
import { quickGraph } from './fixtures/graphs.ts'
import { expect, test } from './fixtures.ts'

/** The keys of all commands by their names, as the list of keys shows them. */
type Keys = ReadonlyMap<string, string>

async function readKeys(page: Page): Promise<Keys> {
  await page.keyboard.press('Shift+?')
  const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  const rows = list.locator('dl > div')
  await expect(rows.first()).toBeVisible()
  const keys = await rows.evaluateAll((rows) =>
    rows.map((row): [string, string] => {
      const caps = [...(row.querySelector('kbd')?.parentElement?.querySelectorAll('kbd') ?? [])]
      return [row.querySelector('dt')?.textContent ?? '', caps[0]?.textContent ?? '']
    }),
  )
  await page.keyboard.press('Escape')
  // While a dialog is open, keys belong to it.
  await expect(list).toBeHidden()
  return new Map(keys)
}

/** Returns the names of the visible, enabled buttons with only an icon. Buttons on tiles are described by the tile. */
const namesOfIconButtons = (within: Locator): Promise<string[]> =>
  within.locator('button:enabled:not([role=grid] *)').evaluateAll((buttons) =>
    buttons
      .filter((button) => button.checkVisibility({ opacityProperty: true }))
      // biome-ignore lint/performance/useDomNodeTextContent: the hidden text of a folded button does not count
      .filter((button) => (button as HTMLElement).innerText.trim() === '')
      .filter((button) => button.querySelector('svg'))
      .map((button) => button.getAttribute('aria-label') ?? 'no name'),
  )

/** Focuses each icon button of a part of the page, and expects a tooltip with its name and the key of its command. */
async function expectTooltips(within: Locator, keys: Keys, few: number) {
  const page = within.page()
  const names = new Set(await namesOfIconButtons(within))
  expect(names.size).toBeGreaterThanOrEqual(few)
  const tooltip = page.locator('[data-tooltip]')
  for (const name of names) {
    const button = within.getByRole('button', { name, exact: true }).first()
    // After a key, the focus is visible, and tooltips open without a delay.
    await page.keyboard.press('Shift')
    await button.focus()
    await expect(tooltip, name).toContainText(name)
    const key = keys.get(name)
    if (key) await expect(tooltip, name).toContainText(key)
    await button.blur()
    await expect(tooltip).toBeHidden()
  }
}

test.beforeEach(async ({ api, gallery, page }) => {
  await api.createBoard('Clients/Acme')
  await api.uploadImages(['a.png', 'b.png', 'c.png'])
  await page.goto('/?board=none')
  await expect(gallery.tiles).toHaveCount(3)
})

test('a tooltip opens on hover, and Escape closes it together with its bar', async ({
  gallery,
  page,
}) => {
  await gallery.select('b.png')
  const button = gallery.selectionBar.getByRole('button', { name: 'Clear selection' })
  const tooltip = page.locator('[data-tooltip]')

  await button.hover()
  await expect(tooltip).toContainText('Clear selection')
  await page.keyboard.press('Escape')

  await expect(gallery.selectionBar).toBeHidden()
  await expect(tooltip).toBeHidden()
})

test('a tooltip closes when its button disappears', async ({ api, gallery, page }) => {
  const { image_name } = await api.uploadImage('d.png')
  await gallery.select('d.png')
  await gallery.selectionBar.getByRole('button', { name: 'Clear selection' }).hover()
  const tooltip = page.locator('[data-tooltip]')
  await expect(tooltip).toBeVisible()

  await api.client.images.delete([image_name])

  await expect(gallery.selectionBar).toBeHidden()
  await expect(tooltip).toBeHidden()
})

test('each icon button of grid, sidebar, history and trash has a tooltip with its key @long', async ({
  gallery,
  page,
}) => {
  const keys = await readKeys(page)
  await gallery.deleteImage('a.png')
  await gallery.select('b.png')
  await expectTooltips(gallery.selectionBar, keys, 4)

  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'History' }).click()
  const history = page.getByRole('complementary', { name: 'History' })
  await expect(history.getByRole('heading', { name: 'History' })).toBeFocused()
  await expectTooltips(page.locator('body'), keys, 8)

  await gallery.openBoard('Trash')
  await expect(gallery.image('a.png')).toBeVisible()
  await gallery.image('a.png').click()
  await expectTooltips(page.getByRole('main'), keys, 2)
})

test('each icon button of the viewer and its details has a tooltip with its key @long', async ({
  gallery,
  page,
}) => {
  const keys = await readKeys(page)
  await gallery.image('b.png').dblclick()
  await expect(gallery.viewer).toContainText('2 of 3')
  await page.keyboard.press('i')
  await expect(gallery.details).toContainText('b.png')

  await expectTooltips(gallery.viewer, keys, 8)
})

test('each icon button of the queue has a tooltip @long', async ({ api, page }) => {
  const keys = await readKeys(page)
  const panel = page.getByRole('complementary', { name: 'Queue' })
  await page.keyboard.press('q')
  await expect(panel.getByRole('heading', { name: 'Queue', exact: true })).toBeFocused()
  await api.client.queue.enqueue({ graph: quickGraph(), runs: 2 })
  // The batch is renamed when its graph is loaded, together with its results.
  const finished = panel.getByRole('region', { name: 'Finished' })
  await expect(finished.getByText('2 of 2 done')).toBeVisible()
  await expect(finished.locator('img')).toHaveCount(2)

  await expectTooltips(panel, keys, 1)
})

test.describe('in a narrow window', () => {
  test.use({ viewport: { width: 800, height: 800 } })

  test('each icon button of the header has a tooltip', async ({ page }) => {
    await expectTooltips(page.getByRole('main'), await readKeys(page), 2)
  })
})
