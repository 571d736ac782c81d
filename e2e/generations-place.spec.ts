import { generations, IMAGE_TIMEOUT, newestOf } from './fixtures/generations.ts'
import { quickGraph } from './fixtures/graphs.ts'
import { recordPositions } from './fixtures/record-positions.ts'
import { expect, test } from './fixtures.ts'

test.describe('in a long view', () => {
  test.use({ libraryOf: 1_200 })

  test('scrolls to completed images and selects them with Follow on', async ({
    api,
    gallery,
    page,
  }) => {
    const { boardId } = await api.createBoard('Portraits')
    await gallery.open({ board: 'none' })
    await page.keyboard.press('q')
    await page.getByRole('switch', { name: 'Follow new images' }).click()
    await page.getByRole('button', { name: 'Close queue' }).click()
    await gallery.scrollTo(0.5)

    await api.client.queue.enqueue({ graph: quickGraph() })
    await expect(gallery.selectionBar).toContainText('1 image', IMAGE_TIMEOUT)
    const made = newestOf(await api.imagesOn())
    await expect.poll(() => gallery.selectedNames()).toEqual([made])
    await expect(generations(gallery)).toBeHidden()

    await api.client.queue.enqueue({ graph: quickGraph(boardId) })
    await gallery.toast('New image on Portraits').getByRole('button', { name: 'Show' }).click()
    await expect(gallery.board('Portraits')).toHaveAttribute('aria-current', 'page')
    const newest = newestOf(await api.imagesOn('Portraits'))
    await expect.poll(() => gallery.selectedNames()).toEqual([newest])
  })

  test('moves and selects nothing during twenty completions with Follow off', async ({
    api,
    gallery,
    page,
  }) => {
    await gallery.open({ board: 'none' })
    await gallery.scrollTo(0.5)
    const [name = ''] = await gallery.namesOnScreen()
    const stop = await recordPositions(gallery.grid, [name])

    await api.client.queue.enqueue({ graph: quickGraph(), runs: 20 })

    await expect(page.getByRole('button', { name: '20 new' })).toBeVisible(IMAGE_TIMEOUT)
    expect((await stop())[name]).toHaveLength(1)
    await expect(gallery.selectionBar).toBeHidden()
  })
})
