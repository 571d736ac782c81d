import type { CDPSession, Locator, Page } from '@playwright/test'
import { openProcess } from './fixtures/open-process.ts'
import { expect, test } from './fixtures.ts'

test.use({ libraryOf: 60 })

interface Look {
  name: string
  /** CSS pixels. */
  width: number
  height: number
  /** The browser's font size in pixels. */
  fontPx?: number
  /** The sidebar is a drawer and the queue a sheet. */
  isCompact?: true
  forcedColors?: 'active' | 'none'
}

const LOOKS: readonly Look[] = [
  { name: 'a desktop', width: 1440, height: 900 },
  { name: 'a small desktop', width: 1024, height: 700 },
  { name: 'a phone', width: 390, height: 844, isCompact: true },
  { name: 'a small phone', width: 320, height: 640, isCompact: true },
  { name: 'a phone in landscape', width: 844, height: 390, isCompact: true },
  { name: '200 % zoom', width: 720, height: 450, isCompact: true },
  { name: '400 % zoom', width: 320, height: 256, isCompact: true },
  { name: 'forced colors', width: 1024, height: 700, forcedColors: 'active' },
  { name: 'a large browser font', width: 1024, height: 768, fontPx: 32, isCompact: true },
]

/**
 * Returns the controls within an element that are unusable: cut off by the window, or covered by another
 * element at their center or near an end. Controls that can be scrolled into view count as visible.
 */
function unusableControls(root: Locator): Promise<string[]> {
  return root.evaluate((root) => {
    const controls = root.querySelectorAll<HTMLElement>('a, button, input, select, h1, h2')
    const isDrawn = (element: HTMLElement) =>
      element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
      element.offsetWidth > 1
    return [...controls].filter(isDrawn).flatMap((control) => {
      control.scrollIntoView({ block: 'nearest', inline: 'nearest' })
      const name = control.getAttribute('aria-label') ?? control.textContent
      const { left, right, top, bottom, width } = control.getBoundingClientRect()
      if (left < -0.5 || right > innerWidth + 0.5 || top < -0.5 || bottom > innerHeight + 0.5) {
        return [`${name} is cut off at ${[left, top, right, bottom].map(Math.round)}`]
      }
      if (control.tagName === 'H1' && width < 40) return [`${name} has no room`]
      const middle = (top + bottom) / 2
      const covers = [left + 6, (left + right) / 2, right - 6].flatMap((x) => {
        const hit = document.elementFromPoint(x, middle)
        const isOwn = hit === null || control.contains(hit) || hit.contains(control)
        return isOwn || hit.closest('label')?.contains(control) ? [] : [hit]
      })
      const [cover] = covers
      return cover ? [`${name} is covered by ${cover.outerHTML.slice(0, 120)}`] : []
    })
  })
}

/** True if any two rows of the board list overlap. */
const rowsOverlap = (sidebar: Locator): Promise<boolean> =>
  sidebar.getByRole('listitem').evaluateAll((rows) => {
    const boxes = rows.map((row) => row.getBoundingClientRect()).sort((a, b) => a.top - b.top)
    return boxes.some((box, at) => box.bottom > (boxes[at + 1]?.top ?? Infinity) + 0.5)
  })

/** Returns how much room the details leave for the image: none if both do not fit next to each other. */
const roomForImage = (details: Locator): Promise<'none' | 'little' | 'enough'> =>
  details.evaluate((panel) => {
    const { left, top } = panel.getBoundingClientRect()
    if (left > 0) return left >= 0.4 * innerWidth ? 'enough' : 'little'
    const stage = panel.parentElement?.getBoundingClientRect()
    if (top === stage?.top) return 'none'
    return top >= 0.4 * innerHeight ? 'enough' : 'little'
  })

async function applyLook(
  page: Page,
  browser: CDPSession,
  { width, height, fontPx = 16, forcedColors = 'none' }: Look,
) {
  await page.emulateMedia({ forcedColors })
  await browser.send('Page.setFontSizes', { fontSizes: { standard: fontPx } })
  const rootPx = () => page.evaluate(() => getComputedStyle(document.documentElement).fontSize)
  await expect.poll(rootPx).toBe(`${fontPx}px`)
  // Last, because Chromium evaluates media queries in rem again only when the window is resized.
  await page.setViewportSize({ width, height })
}

test.beforeEach(async ({ api, gallery, page }) => {
  for (let board = 1; board <= 15; board += 1) await api.createBoard(`Board ${board}`)
  await page.goto('/?board=none')
  await expect(gallery.tiles.first()).toBeVisible()
})

for (const [size, looks] of [
  ['with a sidebar', LOOKS.filter(({ isCompact }) => !isCompact)],
  ['with a drawer', LOOKS.filter(({ isCompact }) => isCompact)],
] as const) {
  test(`keeps controls complete and uncovered at every size ${size} @long`, async ({
    gallery,
    page,
  }) => {
    const openSidebar = page.getByRole('button', { name: 'Open sidebar' })
    const queue = page.getByRole('complementary', { name: 'Queue' })
    const queueSheet = page.getByRole('dialog', { name: 'Queue' })
    const browser = await page.context().newCDPSession(page)

    for (const look of looks) {
      await test.step(look.name, async () => {
        await applyLook(page, browser, look)
        const { isCompact = false } = look
        await expect(openSidebar).toBeVisible({ visible: isCompact })
        const usable = async (root: Locator, part: string) =>
          // Polls, because panels slide in.
          expect.poll(() => unusableControls(root), `${look.name}: ${part}`).toEqual([])

        await usable(page.getByRole('main'), 'grid')
        const icon = page.getByRole('button', { name: 'View options' }).locator('svg')
        const iconPx = async () => (await icon.boundingBox())?.width
        const rootPx = look.fontPx ?? 16
        await expect.poll(iconPx, `${look.name}: icons`).toBeCloseTo((rootPx / 16) * 16, 0)
        if (isCompact) await openSidebar.click()
        await expect(
          gallery.sidebar.getByRole('link', { name: /^Board \d+$/ }).first(),
        ).toBeVisible()
        const sidebar = isCompact ? page.getByRole('dialog', { name: 'Sidebar' }) : gallery.sidebar
        await usable(sidebar, 'sidebar')
        const doRowsOverlap = () => rowsOverlap(gallery.sidebar)
        await expect.poll(doRowsOverlap, `${look.name}: rows of boards`).toBe(false)

        await page.getByRole('button', { name: /^Queue/ }).click()
        if (isCompact) await expect(sidebar).toBeHidden()
        await usable(isCompact ? queueSheet : queue, 'queue')
        if (!isCompact) await usable(page.getByRole('main'), 'grid next to the queue')
        await page.getByRole('button', { name: 'Close queue' }).click()
        await expect(isCompact ? queueSheet : queue).toBeHidden()

        await gallery.tiles.first().click()
        await usable(gallery.selectionBar, 'selection')
        const hasFrame = () =>
          gallery.tiles
            .first()
            .locator('span')
            .evaluateAll((spans) =>
              spans.some((span) => getComputedStyle(span).outlineStyle === 'solid'),
            )
        if (look.forcedColors === 'active') await expect.poll(hasFrame).toBe(true)
        const process = await openProcess(gallery, { selects: false })
        await process.addStep('Resize')
        await usable(process.dialog, 'process')
        await page.keyboard.press('Escape')
        await expect(process.dialog).toBeHidden()

        await gallery.tiles.first().dblclick()
        await expect(gallery.viewer).toContainText('1 of 60')
        await page.keyboard.press('i')
        await expect(gallery.details).toBeVisible()
        await usable(gallery.viewer, 'viewer')
        const room = () => roomForImage(gallery.details)
        await expect.poll(room, `${look.name}: room for the image`).not.toBe('little')
        await page.keyboard.press('i')
        await page.keyboard.press('Escape')
        await expect(gallery.viewer).toBeHidden()
        await page.keyboard.press('Escape')
        await expect(gallery.selectionBar).toBeHidden()

        const overflow = () =>
          page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
        await expect.poll(overflow, `${look.name}: sideways overflow`).toBeLessThanOrEqual(0)
      })
    }
  })
}

test('keeps uploads and the selection bar apart at every size @long', async ({ gallery, page }) => {
  const browser = await page.context().newCDPSession(page)
  await gallery.dropFiles(['new.png'], { on: 'page' })
  await expect(gallery.tray).toContainText('1 uploaded')
  for (const look of LOOKS) {
    await applyLook(page, browser, look)
    await gallery.tiles.first().click()
    const faults = async () => [
      ...(await unusableControls(gallery.selectionBar)),
      ...(await unusableControls(gallery.tray)),
    ]
    await expect.poll(faults, look.name).toEqual([])
    await page.keyboard.press('Escape')
  }
})

test('resizes the sidebar by mouse and keys, also after a reload, and cuts names in the middle', async ({
  api,
  gallery,
  page,
}) => {
  await api.createBoard('LoRA training with a very long name, style A')
  await api.createBoard('LoRA training with a very long name, style B')
  await gallery.open()
  const handle = page.getByRole('separator', { name: 'Width of the sidebar' })
  const left = async () => (await handle.boundingBox())?.x ?? 0
  const before = await left()
  const end = gallery.board('LoRA training with a very long name, style B').getByText('style B')
  const box = await end.boundingBox()
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThan(before)

  await page.mouse.move(before + 4, 300)
  await page.mouse.down()
  await page.mouse.move(before + 104, 300, { steps: 4 })
  await page.mouse.up()
  await expect.poll(left).toBeGreaterThan(before + 95)
  await handle.focus()
  await page.keyboard.press('ArrowLeft')
  await expect(handle).toHaveAttribute('aria-valuenow', '339')

  await page.reload()
  await expect(handle).toHaveAttribute('aria-valuenow', '339')
  await handle.dblclick()
  await expect.poll(left).toBe(before)
})
