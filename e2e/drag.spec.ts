import { createHash } from 'node:crypto'
import type { Locator } from '@playwright/test'
import { nameOfFile } from '#testing/library/fill-library.ts'
import { dragFiles } from './fixtures/drop-files.ts'
import { cancelDrag, holdAt, holdOver, type Point, pickUp } from './fixtures/pointer.ts'
import { expect, test } from './fixtures.ts'

const BOARDS = Array.from({ length: 30 }, (_, at) => `Board ${String(at + 1).padStart(2, '0')}`)

/** More than one screen. */
const COUNT = 400
const newest = (at: number): string => nameOfFile(COUNT - 1 - at)

test.use({ libraryOf: COUNT })

test.beforeEach(async ({ api, gallery }) => {
  for (const name of BOARDS) await api.createBoard(name)
  await gallery.open({ board: 'none' })
  await expect(gallery.image(newest(10))).toBeVisible()
})

test('scrolls the grid while a drag is held at its edge, and cancels with Esc @long', async ({
  api,
  gallery,
  page,
}) => {
  const edges = await edgesOf(gallery.grid)
  await pickUp(page, gallery.image(newest(10)))
  await holdAt(page, edges.bottom)
  await expect.poll(() => topOf(gallery.grid)).toBeGreaterThan(100)
  await holdAt(page, edges.top)
  await expect.poll(() => topOf(gallery.grid)).toBe(0)
  await cancelDrag(page)

  const names = [10, 11, 12].map(newest)
  const changes: string[] = []
  page.on('request', (request) => {
    if (request.method() !== 'GET') changes.push(request.url())
  })
  await gallery.select(...names)
  const focus = await gallery.grid.getAttribute('aria-activedescendant')

  await pickUp(page, gallery.image(newest(11)))
  await holdOver(page, gallery.boards.first())
  await expect.poll(() => litIn(gallery.sidebar)).toHaveLength(1)
  await cancelDrag(page)

  await expect.poll(() => litIn(gallery.sidebar)).toEqual([])
  const selected = async () => (await gallery.selectedNames()).toSorted()
  await expect.poll(selected).toEqual(names.toSorted())
  await expect(gallery.grid).toBeFocused()
  await expect(gallery.grid).toHaveAttribute('aria-activedescendant', focus ?? '')
  await expect(gallery.toast(/\S/)).toHaveCount(0)
  expect(changes).toEqual([])
  expect(await api.namesOn()).toHaveLength(COUNT)
})

test('scrolls the board list during a drag at its edge, and highlights the target', async ({
  api,
  gallery,
  page,
}) => {
  const list = scrollerOf(gallery.sidebar)
  const edges = await edgesOf(list)
  await expect.poll(() => atEnd(list)).toBe(false)
  await pickUp(page, gallery.image(newest(10)))

  await holdAt(page, edges.bottom)
  await expect.poll(() => atEnd(list), { timeout: 30_000 }).toBe(true)
  await holdAt(page, edges.bottom)
  await expect.poll(() => litIn(gallery.sidebar)).toHaveLength(1)
  const [lit = ''] = await litIn(gallery.sidebar)
  await page.mouse.up()

  await expect.poll(() => api.namesOn(nameIn(lit))).toEqual([newest(10)])

  await list.evaluate((node) => node.scrollTo(0, 0))
  const drag = await dragFiles(await gallery.drawFiles(['new.png']), gallery.boards.first())
  const isScrolledToEnd = async () => {
    await drag.moveTo(edges.bottom)
    return atEnd(list)
  }
  await expect.poll(isScrolledToEnd, { timeout: 30_000 }).toBe(true)
  await drag.moveTo(edges.bottom)
  await expect.poll(() => litIn(gallery.sidebar)).toHaveLength(1)
  const [litByFiles = ''] = await litIn(gallery.sidebar)
  await expect(page.getByText(`Drop to upload to ${nameIn(litByFiles)}`)).toBeVisible()
  await drag.cancel()
})

/** Returns the board name from a row's text, which ends in a count. */
const nameIn = (row: string): string => row.slice(0, 'Board 01'.length)

/** Returns the scroll container of the boards. */
const scrollerOf = (sidebar: Locator): Locator => sidebar.getByRole('list').locator('..')

/** Returns points just inside the upper and the lower edge of a scroll container. */
async function edgesOf(element: Locator): Promise<{ top: Point; bottom: Point }> {
  const box = await element.boundingBox()
  if (box === null) throw new Error('It cannot be seen.')
  const x = box.x + box.width / 2
  return { top: { x, y: box.y + 8 }, bottom: { x, y: box.y + box.height - 8 } }
}

const topOf = (element: Locator): Promise<number> => element.evaluate((node) => node.scrollTop)

const atEnd = (element: Locator): Promise<boolean> =>
  element.evaluate((node) => node.scrollTop + node.clientHeight >= node.scrollHeight - 1)

/** Returns the text of each row that is outlined as a drop target. */
const litIn = (sidebar: Locator): Promise<string[]> =>
  sidebar.locator('div').evaluateAll((rows) =>
    rows
      .filter((row) => {
        const { outlineStyle, outlineWidth } = getComputedStyle(row)
        return outlineStyle === 'solid' && outlineWidth === '2px'
      })
      .map((row) => row.textContent ?? ''),
  )

test('opens a folded group during a drag, and moves a board into and out of a group @long', async ({
  api,
  gallery,
  page,
}) => {
  await api.createBoard('Clients/Acme')
  await api.createBoard('Sky')
  await page.reload()
  const group = gallery.sidebar.getByRole('button', { name: /^Clients, / })
  await group.click()
  await expect(gallery.board('Clients/Acme')).toBeHidden()

  await pickUp(page, gallery.image(newest(10)))
  await holdOver(page, group)
  await expect(gallery.board('Clients/Acme')).toBeVisible()
  await holdOver(page, gallery.board('Clients/Acme'))
  await page.mouse.up()
  await expect.poll(() => api.namesOn('Clients/Acme')).toEqual([newest(10)])

  await pickUp(page, gallery.board('Sky'))
  await holdOver(page, group)
  await page.mouse.up()
  await expect(gallery.board('Clients/Sky')).toBeVisible()
  await expect(group).toHaveAccessibleName('Clients, 2 boards')
  await expect.poll(() => api.boardNames()).toContain('Clients/Sky')

  await pickUp(page, gallery.board('Clients/Sky'))
  await holdOver(page, gallery.sidebar.getByRole('heading', { name: 'Boards' }))
  await page.mouse.up()
  await expect(gallery.board('Sky')).toBeVisible()
  await expect.poll(() => api.boardNames()).toContain('Sky')
})

test('shows the number of dragged images at the pointer @long', async ({ gallery, page }) => {
  await gallery.select(newest(10), newest(11), newest(12))
  await page.evaluate(() => {
    const previews: string[] = []
    Object.assign(window, { previews })
    // The browser takes a picture of the preview, which is then removed.
    new MutationObserver((changes) => {
      for (const { addedNodes } of changes)
        for (const node of addedNodes)
          if (node instanceof HTMLElement && node.querySelectorAll('canvas').length > 1)
            previews.push(node.textContent)
    }).observe(document.body, { childList: true, subtree: true })
  })

  await pickUp(page, gallery.image(newest(11)))

  const previews = () => page.evaluate(() => (window as unknown as { previews: string[] }).previews)
  await expect.poll(previews).toContain('3')
  await cancelDrag(page)
})

test('gives the original file to programs on which a tile is dropped @long', async ({
  api,
  gallery,
  page,
}) => {
  await page.evaluate(() => {
    window.addEventListener('dragstart', ({ dataTransfer }) =>
      Object.assign(window, { offered: dataTransfer?.getData('DownloadURL') }),
    )
  })

  await pickUp(page, gallery.image(newest(10)))

  const offered = () => page.evaluate(() => (window as unknown as { offered: string }).offered)
  await expect.poll(offered).toMatch(/^image\/[a-z]+:.+:http/)
  const [, mediaType, fileName, url = ''] = /^(.+?):(.+?):(.+)$/.exec(await offered()) ?? []
  const [image] = (await api.imagesOn()).filter(({ file_name }) => file_name === newest(10))
  expect({ mediaType, fileName }).toEqual({ mediaType: image?.media_type, fileName: newest(10) })
  const file = await (await page.request.get(url)).body()
  expect(createHash('sha256').update(file).digest('hex')).toBe(image?.content_hash)
  await cancelDrag(page)
})

test('opens a folded group for files from the desktop @long', async ({ api, gallery, page }) => {
  await api.createBoard('Clients/Acme')
  await page.reload()
  const group = gallery.sidebar.getByRole('button', { name: /^Clients, / })
  await group.click()
  await expect(gallery.board('Clients/Acme')).toBeHidden()

  const drag = await dragFiles(await gallery.drawFiles(['new.png']), group)
  await expect(gallery.board('Clients/Acme')).toBeVisible()
  const box = await gallery.board('Clients/Acme').boundingBox()
  await drag.moveTo({ x: (box?.x ?? 0) + 20, y: (box?.y ?? 0) + 10 })
  await expect(page.getByText('Drop to upload to Clients/Acme')).toBeVisible()
  await drag.drop()

  await expect.poll(() => api.namesOn('Clients/Acme')).toEqual(['new.png'])
})
