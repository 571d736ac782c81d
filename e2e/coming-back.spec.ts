import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'

const BOARDS = /\/api\/v1\/boards\/\?/

/** The window was in sight all the time, and gets the focus again. */
const comeBack = (page: Page) => page.evaluate(() => window.dispatchEvent(new Event('focus')))

test('what other machines changed shows when the person comes back', async ({
  api,
  gallery,
  page,
}) => {
  await api.createBoard('Portraits')
  await api.uploadImages(['a.png', 'b.png'], { board: 'Portraits' })
  await gallery.open({ board: 'Portraits' })
  await expect(gallery.tiles).toHaveCount(2)

  const [board] = await api.client.boards.listBoards()
  await api.client.boardOperations.update(board?.board_id ?? '', { board_name: 'Faces' })
  await api.uploadImages(['c.png'], { board: 'Faces' })
  await comeBack(page)

  await expect(gallery.boardCount('Faces')).toHaveText('3')
  await expect(gallery.board('Portraits')).toBeHidden()
  await expect(gallery.image('c.png')).toBeVisible()
})

test('the trash shows what was deleted elsewhere', async ({ api, gallery, page }) => {
  await api.uploadImages(['a.png', 'b.png'])
  await gallery.open({ board: 'trash' })
  await expect(page.getByText('The trash is empty')).toBeVisible()

  const [name = ''] = (await api.imagesOn()).map(({ image_name }) => image_name)
  await api.client.trash.trashImages([name])
  await comeBack(page)

  await expect(page.getByRole('checkbox')).toHaveCount(1)
})

test('coming back several times in a row is one round of questions', async ({ gallery, page }) => {
  await gallery.open()
  await expect(page.getByRole('main')).toBeVisible()
  await page.waitForLoadState('networkidle')
  const asked: string[] = []
  page.on('request', (request) => {
    if (BOARDS.test(request.url())) asked.push(request.url())
  })

  const answer = page.waitForResponse(BOARDS)
  for (let times = 0; times < 3; times++) await comeBack(page)
  await answer

  expect(asked).toHaveLength(1)
})
