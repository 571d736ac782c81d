import { dropFiles } from './fixtures/drop-files.ts'
import { expect, test } from './fixtures.ts'
import { UNDO_MS } from './upstream-fixtures.ts'

test.describe('with InvokeAI', () => {
  test.use({ serverKind: 'invokeai' })

  test('keeps added, sorted, starred and deleted images after a restart', async ({
    api,
    gallery,
    page,
    server,
  }) => {
    await page.clock.install()
    await gallery.open({ board: 'none' })
    await gallery.createBoard('Portraits')
    await gallery.openBoard('Assets')
    const sizes = [
      ['cat.png', 101],
      ['dog.jpg', 102],
      ['fox.webp', 103],
    ] as const
    const drawn = sizes.map(([name, widthPx]) => gallery.drawFiles([name], { widthPx }))
    await dropFiles((await Promise.all(drawn)).flat(), page.getByRole('main'))
    await expect(gallery.tiles).toHaveCount(3)
    // InvokeAI stores no file names, so the test identifies images by their width.
    await expect.poll(async () => (await api.imagesOn()).length).toBe(3)
    const images = await api.imagesOn()
    const nameOf = (width: number) =>
      images.find((image) => image.width === width)?.image_name ?? `none of ${width} px`
    const [cat, dog, fox] = [nameOf(101), nameOf(102), nameOf(103)]

    await gallery.dragImage(cat, { toBoard: 'Portraits' })
    await expect(gallery.tiles).toHaveCount(2)
    await gallery.dragImage(dog, { toBoard: 'Portraits' })
    await expect(gallery.tiles).toHaveCount(1)
    await gallery.deleteImage(fox)
    await expect(gallery.tiles).toHaveCount(0)
    await gallery.openBoard('Portraits')
    await gallery.star(dog)

    // InvokeAI cannot undo a deletion, so the page delays it until the time for Undo has passed.
    await page.clock.fastForward(UNDO_MS)
    await expect.poll(() => api.imagesOn()).toEqual([])
    await expect.poll(() => api.imagesOn('Portraits')).toMatchObject([{ starred: true }, {}])
    await server.restart()
    await page.reload()

    await expect(gallery.tiles).toHaveCount(2)
    await expect(gallery.image(cat)).toBeVisible()
    await expect(gallery.image(dog).getByRole('button', { name: 'Unstar' })).toBeAttached()
    await gallery.openBoard('Assets')
    await expect(gallery.tiles).toHaveCount(0)
  })

  test('offers no extensions, shows the prompt in the details, and does not send an undone deletion @long', async ({
    api,
    gallery,
    page,
  }) => {
    const { image_name } = await api.uploadImage('cat.png', { kind: 'invokeai' })
    const metadata = await api.client.images.metadata(image_name)
    await gallery.open({ board: 'none' })
    await expect(gallery.tiles).toHaveCount(1)
    await expect(gallery.board('Trash')).toBeHidden()
    await expect(gallery.board('Starred')).toBeHidden()
    await expect(page.getByRole('button', { name: 'Look around in a demo library' })).toBeHidden()

    await gallery.image(image_name).dblclick()
    await expect(gallery.viewer).toContainText('1 of 1')
    await page.keyboard.press('i')
    await expect(gallery.details).toContainText(metadata?.prompt ?? 'no prompt')
    await page.keyboard.press('Escape')
    await expect(gallery.viewer).toBeHidden()

    const deletes: string[] = []
    page.on('request', (request) => {
      if (/delete$/.test(request.url()) || request.method() === 'DELETE')
        deletes.push(request.url())
    })
    await gallery.deleteImage(image_name)
    await expect(gallery.tiles).toHaveCount(0)
    await gallery.undo()
    await expect(gallery.tiles).toHaveCount(1)
    expect(deletes).toEqual([])
    expect(await api.imagesOn()).toHaveLength(1)
  })
})
