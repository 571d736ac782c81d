import { readFile, truncate } from 'node:fs/promises'
import { dragFiles, dropFiles } from './fixtures/drop-files.ts'
import { expect, test } from './fixtures.ts'

const ANY_UPLOAD = '**/api/v1/images/upload**'

test('files dropped anywhere on the page land where the person is', async ({ api, gallery }) => {
  await api.createBoard('Portraits')
  await gallery.open({ board: 'Portraits' })

  await gallery.dropFiles(['cat.png', 'dog.jpg', 'fox.webp'], { on: 'page' })

  await expect(gallery.tiles).toHaveCount(3)
  await expect(gallery.tray).toContainText('3 uploaded')
  expect((await api.namesOn('Portraits'))?.sort()).toEqual(['cat.png', 'dog.jpg', 'fox.webp'])
})

test('files dropped on a board go onto that board', async ({ api, gallery }) => {
  await api.createBoard('Portraits')
  await gallery.open({ board: 'none' })

  await gallery.dropFiles(['cat.png'], { on: 'Portraits' })

  await expect(gallery.toast('Portraits')).toBeVisible()
  await expect.poll(() => api.namesOn('Portraits')).toEqual(['cat.png'])
  expect(await api.namesOn()).toEqual([])
})

test('files dropped on Assets are on no board', async ({ api, gallery }) => {
  await api.createBoard('Portraits')
  await gallery.open({ board: 'Portraits' })

  await gallery.dropFiles(['cat.png'], { on: 'Assets' })

  await expect.poll(() => api.namesOn()).toEqual(['cat.png'])
  expect(await api.namesOn('Portraits')).toEqual([])
})

test('while files are held over a board, the page says where they would go', async ({
  api,
  gallery,
  page,
}) => {
  await api.createBoard('Portraits')
  await gallery.open({ board: 'none' })
  const paths = await gallery.drawFiles(['cat.png'])

  const drag = await dragFiles(paths, gallery.board('Portraits'))
  await expect(page.getByText(/Portraits/).last()).toBeVisible()
  await drag.cancel()

  expect(await api.namesOn('Portraits')).toEqual([])
})

test('a dropped folder brings in what is inside, folders and all', async ({
  api,
  gallery,
  page,
}) => {
  await gallery.open({ board: 'none' })
  const [inside] = await gallery.drawFiles([
    'trip/cat.png',
    'trip/day 2/dog.jpg',
    'trip/day 2/b/fox.webp',
  ])
  const folder = inside?.slice(0, -'/cat.png'.length) ?? ''

  await dropFiles([folder], page.getByRole('main'))

  await expect(gallery.tiles).toHaveCount(3)
  expect((await api.namesOn())?.sort()).toEqual(['cat.png', 'dog.jpg', 'fox.webp'])
})

test('the button takes the files that a person picks', async ({ gallery, page }) => {
  await gallery.open({ board: 'none' })
  const chooser = page.waitForEvent('filechooser')

  await page.getByRole('button', { name: 'Upload', exact: true }).click()
  await (await chooser).setFiles(await gallery.drawFiles(['cat.png', 'dog.jpg']))

  await expect(gallery.tiles).toHaveCount(2)
})

test('a pasted picture is taken in', async ({ api, context, gallery, page }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await gallery.open({ board: 'none' })
  const [path = ''] = await gallery.drawFiles(['shot.png'])
  const bytes = [...(await readFile(path))]

  await page.evaluate(async (bytes) => {
    const png = new Blob([new Uint8Array(bytes)], { type: 'image/png' })
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': png })])
  }, bytes)
  await page.keyboard.press('ControlOrMeta+v')

  await expect(gallery.tiles).toHaveCount(1)
  expect(await api.imagesOn()).toMatchObject([{ width: 96, height: 64 }])
})

test('files that cannot be taken in are named with a reason, and stop no other', async ({
  api,
  gallery,
  page,
}) => {
  await gallery.open({ board: 'none' })
  const [good = '', cut = ''] = await gallery.drawFiles(['cat.png', 'cut.png'])
  await truncate(cut, 4_000)
  const bad = [
    cut,
    await gallery.writeFile('letter.png', 'This is no picture.'),
    await gallery.writeFile('empty.png', ''),
    await gallery.writeFile('drawing.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>'),
  ]

  await dropFiles([good, ...bad], page.getByRole('main'))

  await expect(gallery.tray).toContainText('1 uploaded, 4 failed')
  for (const name of ['cut.png', 'letter.png', 'empty.png', 'drawing.svg']) {
    await expect(gallery.upload(name)).toBeVisible()
  }
  await expect(gallery.upload('empty.png')).toContainText('empty')
  expect(await api.namesOn()).toEqual(['cat.png'])
})

test.describe('with a limit of 20 KiB a file', () => {
  test.use({ serverFlags: ['--max-upload', '20KiB'] })

  test('a file that is too large is named with both figures', async ({ api, gallery, page }) => {
    await gallery.open({ board: 'none' })
    const paths = await gallery.drawFiles(['huge.png'], { widthPx: 640, heightPx: 480 })

    await dropFiles(paths, page.getByRole('main'))

    await expect(gallery.upload('huge.png')).toContainText('too large')
    await expect(gallery.upload('huge.png')).toContainText('20')
    expect(await api.namesOn()).toEqual([])
  })
})

test('an upload that the line broke goes on when the line is back', async ({
  api,
  gallery,
  page,
}) => {
  await gallery.open({ board: 'none' })
  await page.route(ANY_UPLOAD, (route) => route.abort())
  await gallery.dropFiles(['cat.png'], { on: 'page' })
  await expect(gallery.tray.getByRole('button', { name: 'Try now' })).toBeVisible()

  await page.unroute(ANY_UPLOAD)
  await gallery.tray.getByRole('button', { name: 'Try now' }).click()

  await expect(gallery.tray).toContainText('1 uploaded')
  expect(await api.namesOn()).toEqual(['cat.png'])
})

test('uploads can be paused, resumed and cancelled', async ({ api, gallery, page }) => {
  await gallery.open({ board: 'none' })
  await page.route(ANY_UPLOAD, () => {}) // no answer ever comes
  await gallery.dropFiles(['cat.png', 'dog.jpg'], { on: 'page' })

  await gallery.tray.getByRole('button', { name: 'Pause uploads' }).click()
  await expect(gallery.tray).toContainText('Paused: 0 of 2')
  await page.unroute(ANY_UPLOAD)
  await gallery.tray.getByRole('button', { name: 'Cancel dog.jpg' }).click()
  await gallery.tray.getByRole('button', { name: 'Resume uploads' }).click()

  await expect(gallery.tray).toContainText('1 uploaded, 1 canceled')
  expect(await api.namesOn()).toEqual(['cat.png'])
})

test('leaving the page during an upload warns, and a reload goes on with it', async ({
  api,
  gallery,
  page,
}) => {
  await gallery.open({ board: 'none' })
  let isHeld = true
  await page.route(ANY_UPLOAD, (route) => (isHeld ? undefined : route.continue()))
  await gallery.dropFiles(['cat.png'], { on: 'page' })
  await expect(gallery.tray).toContainText('Uploading: 0 of 1')
  const warning = new Promise<string>((resolve) => {
    page.once('dialog', async (dialog) => {
      isHeld = false // the page that comes next may send at once
      await dialog.accept()
      resolve(dialog.type())
    })
  })

  const reloaded = page.reload()
  expect(await warning).toBe('beforeunload')
  await reloaded

  await expect(gallery.image('cat.png')).toBeVisible()
  expect(await api.namesOn()).toEqual(['cat.png'])
})
