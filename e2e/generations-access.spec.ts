import { generations, IMAGE_TIMEOUT, pictures } from './fixtures/generations.ts'
import { endlessTo, failing, quickGraph } from './fixtures/graphs.ts'
import { seriousFaultsInBothSchemes, seriousFaultsOf } from './fixtures/serious-faults-of.ts'
import { expect, test } from './fixtures.ts'

test('axe finds no serious violation while images fail, run and wait, light and dark @long', async ({
  api,
  gallery,
  page,
}) => {
  const cat = await api.uploadImage('cat.png')
  await gallery.open({ board: 'none' })
  await api.client.queue.enqueue({ graph: failing })
  await expect(generations(gallery, /^Generation, failed/)).toBeVisible(IMAGE_TIMEOUT)
  await api.client.queue.enqueue({ graph: endlessTo(cat) })
  await api.client.queue.enqueue({ graph: quickGraph() })
  await expect(generations(gallery, 'Generation, 2nd in line')).toBeVisible(IMAGE_TIMEOUT)
  await expect(generations(gallery).getByRole('progressbar')).toBeVisible(IMAGE_TIMEOUT)
  await expect(page.getByRole('button', { name: /^Queue/ })).toContainText('2')

  expect(await seriousFaultsInBothSchemes(page)).toEqual([])
})

test('moves the focus from the tile of a generation to its image', async ({
  api,
  gallery,
  page,
}) => {
  await api.uploadImages(['a.png', 'b.png'])
  await gallery.open({ board: 'none' })
  await expect(gallery.tiles).toHaveCount(2)
  await api.client.queue.pause()
  await api.client.queue.enqueue({ graph: quickGraph() })
  await generations(gallery).focus()
  await api.client.queue.resume()

  await expect(pictures(gallery)).toHaveCount(3, IMAGE_TIMEOUT)
  await expect(gallery.grid).toBeFocused()
  await page.keyboard.press('Space')

  const name = await pictures(gallery)
    .first()
    .locator('[data-picture]')
    .getAttribute('data-picture')
  await expect.poll(() => gallery.selectedNames()).toEqual([name])
})

test('shows the name of a board that another client has just created @long', async ({
  api,
  gallery,
  page,
}) => {
  const cat = await api.uploadImage('cat.png')
  await gallery.open({ board: 'none' })
  await page.getByRole('button', { name: 'Queue' }).click()
  const queue = page.getByRole('complementary', { name: 'Queue' })
  await api.client.queue.enqueue({ graph: endlessTo(cat) })
  await expect(queue.getByRole('region', { name: 'Running' })).toBeVisible(IMAGE_TIMEOUT)

  const { boardId } = await api.createBoard('Portraits')
  await api.client.queue.enqueue({ graph: quickGraph(boardId) })

  await expect(queue.getByRole('region', { name: 'Waiting' })).toContainText('Portraits')
  await expect(gallery.board('Portraits')).toBeVisible()
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  test('shows activity on the button of the closed drawer @long', async ({
    api,
    gallery,
    page,
  }) => {
    const cat = await api.uploadImage('cat.png')
    await page.goto('/?board=none')
    await expect(gallery.image('cat.png')).toBeVisible()
    const { item_ids } = await api.client.queue.enqueue({ graph: endlessTo(cat) })

    const menu = page.getByRole('button', { name: 'Open sidebar' })
    await expect(menu).toHaveAccessibleName('Open sidebar, 1 item in the queue', IMAGE_TIMEOUT)
    expect(await seriousFaultsOf(page)).toEqual([])

    for (const id of item_ids) await api.client.queue.cancel(id)
    await expect(menu).toHaveAccessibleName('Open sidebar', IMAGE_TIMEOUT)
  })
})
