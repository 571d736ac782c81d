import { seriousFaultsInBothSchemes } from './fixtures/serious-faults-of.ts'
import { expect, test } from './fixtures.ts'

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

test.beforeEach(async ({ api }) => {
  await api.createBoard('Portraits')
  await api.uploadImages(['a.png', 'b.png', 'c.png'])
})

test.describe('on a phone axe finds no serious violation, light and dark, in', () => {
  test('the grid, a selection and the board palette, the drawer and its dialogs', async ({
    gallery,
    page,
  }) => {
    await page.goto('/?board=none')
    await expect(gallery.tiles).toHaveCount(3)
    expect(await seriousFaultsInBothSchemes(page), 'grid').toEqual([])

    await gallery.longPress('b.png')
    await expect(gallery.selectionBar).toContainText('1 image')
    expect(await seriousFaultsInBothSchemes(page), 'selection').toEqual([])
    await gallery.selectionBar.getByRole('button', { name: 'Move to board' }).tap()
    await expect(page.getByRole('option', { name: 'Portraits' })).toBeVisible()
    expect(await seriousFaultsInBothSchemes(page), 'palette').toEqual([])
    await page.goBack()
    await expect(page.getByRole('option', { name: 'Portraits' })).toBeHidden()
    await gallery.selectionBar.getByRole('button', { name: 'Clear selection' }).tap()
    await expect(gallery.selectionBar).toBeHidden()

    await page.getByRole('button', { name: 'Open sidebar' }).tap()
    await expect(gallery.board('Portraits')).toBeInViewport()
    expect(await seriousFaultsInBothSchemes(page), 'drawer').toEqual([])
    await page.getByRole('button', { name: 'Options for Portraits' }).tap()
    await expect(page.getByRole('menu')).toBeVisible()
    expect(await seriousFaultsInBothSchemes(page), 'menu').toEqual([])
    await page.getByRole('menuitem', { name: 'Delete board…' }).tap()
    await expect(page.getByRole('button', { name: /^Delete board/ })).toBeVisible()
    expect(await seriousFaultsInBothSchemes(page), 'dialog').toEqual([])
  })

  test('the viewer with its details, the upload tray and the trash @long', async ({
    api,
    gallery,
    page,
  }) => {
    await page.goto('/?board=none')
    await gallery.image('b.png').tap()
    await expect(gallery.viewer).toContainText('2 of 3')
    expect(await seriousFaultsInBothSchemes(page), 'viewer').toEqual([])
    await gallery.viewer.getByRole('button', { name: 'Details' }).tap()
    await expect(gallery.details).toContainText('b.png')
    expect(await seriousFaultsInBothSchemes(page), 'details').toEqual([])

    await page.goto('/?board=none')
    await expect(gallery.tiles).toHaveCount(3)
    await gallery.dropFiles(['a.png', 'new.png'], { on: 'page' })
    await expect(gallery.tray).toContainText('1 uploaded, 1 already here')
    expect(await seriousFaultsInBothSchemes(page), 'tray').toEqual([])

    const [image] = await api.imagesOn()
    if (image) await api.client.trash.trashImages([image.image_name])
    await page.goto('/?board=trash')
    await expect(gallery.image('new.png')).toBeVisible()
    expect(await seriousFaultsInBothSchemes(page), 'trash').toEqual([])
  })
})
