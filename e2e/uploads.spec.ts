import { readFile, truncate } from 'node:fs/promises'
import { dragFiles, dropFiles } from './fixtures/drop-files.ts'
import { expect, test } from './fixtures.ts'

const ANY_UPLOAD = '**/api/v1/images/upload**'

test('adds dropped files to the current view, or to the board or Assets under the pointer', async ({
  api,
  gallery,
  page,
}) => {
  await api.createBoard('Portraits')
  await gallery.open({ board: 'Portraits' })

  await gallery.dropFiles(['cat.png', 'dog.jpg', 'fox.webp'], { on: 'page' })
  await expect(gallery.tiles).toHaveCount(3)
  await expect(gallery.tray).toContainText('3 uploaded')
  expect((await api.namesOn('Portraits'))?.sort()).toEqual(['cat.png', 'dog.jpg', 'fox.webp'])
  await gallery.dropFiles(['hen.png'], { on: 'Assets' })
  await expect.poll(() => api.namesOn()).toEqual(['hen.png'])

  await gallery.openBoard('Assets')
  const drag = await dragFiles(await gallery.drawFiles(['owl.png']), gallery.board('Portraits'))
  await expect(page.getByText('Drop to upload to Portraits')).toBeVisible()
  await drag.moveTo({ x: 900, y: 600 })
  await expect(page.getByText('Drop to upload to Assets')).toBeVisible()
  await drag.cancel()
  await gallery.dropFiles(['pig.png'], { on: 'Portraits' })
  await expect(gallery.toast('Portraits')).toBeVisible()
  await expect
    .poll(async () => (await api.namesOn('Portraits'))?.toSorted())
    .toEqual(['cat.png', 'dog.jpg', 'fox.webp', 'pig.png'])
  expect(await api.namesOn()).toEqual(['hen.png'])
})

test('shows that a drag of files over a board was cancelled @long', async ({
  api,
  gallery,
  page,
}) => {
  await api.createBoard('Portraits')
  await gallery.open()
  const drag = await dragFiles(await gallery.drawFiles(['owl.png']), gallery.board('Portraits'))
  await expect(page.getByText('Drop to upload to Portraits')).toBeVisible()

  // Chromium does not notify the page of the cancellation.
  await drag.cancel()
  await page.mouse.move(700, 400)

  await expect(page.getByText(/^Drop to upload/)).toBeHidden()
})

test('adds a dropped folder with its subfolders, or makes it a board', async ({
  api,
  gallery,
  page,
}) => {
  const drop = async (folder: string, names: readonly string[]) => {
    const [inside = ''] = await gallery.drawFiles(names.map((name) => `${folder}/${name}`))
    const path = inside.slice(0, inside.lastIndexOf(`/${names[0]}`))
    await dropFiles([path], page.getByRole('main'))
  }
  await gallery.open({ board: 'none' })

  await drop('trip', ['cat.png', 'day 2/dog.jpg', 'day 2/b/fox.webp'])
  await page.getByRole('button', { name: 'Upload to Assets' }).click()
  await expect(gallery.tiles).toHaveCount(3)
  expect((await api.namesOn())?.sort()).toEqual(['cat.png', 'dog.jpg', 'fox.webp'])

  await drop('farm', ['hen.png', 'day 2/pig.jpg'])
  await page.getByRole('button', { name: 'Create a board' }).click()
  await expect
    .poll(async () => (await api.namesOn('farm'))?.toSorted())
    .toEqual(['hen.png', 'pig.jpg'])
  expect(await api.namesOn()).toHaveLength(3)
})

test('moves the existing image to the board on which its file is dropped @long', async ({
  api,
  gallery,
  page,
}) => {
  await api.createBoard('Portraits')
  await api.uploadImage('cat.png')
  await gallery.open({ board: 'none' })
  await gallery.dropFiles(['cat.png'], { on: 'Portraits' })

  await page.getByRole('button', { name: 'Move the existing image here' }).click()

  await expect.poll(() => api.namesOn('Portraits')).toEqual(['cat.png'])
  expect(await api.namesOn()).toEqual([])
})

test('makes a folder a board that is dropped on the sidebar, until Undo @long', async ({
  api,
  gallery,
  page,
}) => {
  const folder = async (name: string) => {
    const [inside = ''] = await gallery.drawFiles([`${name}/cat.png`, `${name}/day 2/dog.jpg`])
    return [inside.slice(0, inside.lastIndexOf('/'))]
  }
  await api.createBoard('Clients/Acme')
  await gallery.open({ board: 'none' })
  const heading = gallery.sidebar.getByRole('heading', { name: 'Boards' })
  const drag = await dragFiles(await folder('trip'), heading)
  await expect(page.getByText('Drop a folder to create a board')).toBeVisible()
  await drag.drop()
  await expect
    .poll(async () => (await api.namesOn('trip'))?.toSorted())
    .toEqual(['cat.png', 'dog.jpg'])
  await dropFiles(await folder('farm'), gallery.sidebar.getByRole('button', { name: /^Clients, / }))
  await expect.poll(async () => (await api.namesOn('Clients/farm'))?.length).toBe(2)
  await expect(gallery.tray).toContainText('4 uploaded')

  const undo = page.getByRole('button', { name: 'Undo last change' })
  for (let step = 0; step < 4; step += 1) await undo.click()

  await expect.poll(() => api.boardNames()).toEqual(['Clients/Acme'])
  expect(await api.namesOn()).toEqual([])
})

test('makes a chosen folder a board @long', async ({ api, gallery, page }) => {
  const [inside = ''] = await gallery.drawFiles(['trip/cat.png', 'trip/day 2/dog.jpg'])
  await gallery.open({ board: 'none' })

  const chooser = page.waitForEvent('filechooser')
  await gallery.add('Upload a folder…')
  await (await chooser).setFiles(inside.slice(0, inside.lastIndexOf('/')))
  await page.getByRole('button', { name: 'Create a board' }).click()

  await expect
    .poll(async () => (await api.namesOn('trip'))?.toSorted())
    .toEqual(['cat.png', 'dog.jpg'])
})

test('adds chosen files and a pasted image', async ({ api, context, gallery, page }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await gallery.open({ board: 'none' })
  const chooser = page.waitForEvent('filechooser')
  await gallery.add('Upload files…')
  await (await chooser).setFiles(await gallery.drawFiles(['cat.png', 'dog.jpg']))
  await expect(gallery.tiles).toHaveCount(2)

  const [path = ''] = await gallery.drawFiles(['shot.png'], { widthPx: 80, heightPx: 50 })
  const bytes = [...(await readFile(path))]
  await page.evaluate(async (bytes) => {
    const png = new Blob([new Uint8Array(bytes)], { type: 'image/png' })
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': png })])
  }, bytes)
  await page.keyboard.press('ControlOrMeta+v')

  await expect(gallery.tiles).toHaveCount(3)
  const sizes = (await api.imagesOn()).map(({ width, height }) => `${width} x ${height}`)
  expect(sizes.toSorted()).toEqual(['80 x 50', '96 x 64', '96 x 64'])
})

test.describe('with a limit of 40 KiB per file', () => {
  test.use({ serverFlags: ['--max-upload', '40KiB'] })

  test('lists rejected files with a reason and continues with the others', async ({
    api,
    gallery,
    page,
  }) => {
    await gallery.open({ board: 'none' })
    const [good = '', cut = ''] = await gallery.drawFiles(['cat.png', 'cut.png'])
    const [huge = ''] = await gallery.drawFiles(['huge.png'], { widthPx: 640, heightPx: 480 })
    await truncate(cut, 4_000)
    const bad = [
      cut,
      huge,
      await gallery.writeFile('letter.png', 'This is no picture.'),
      await gallery.writeFile('empty.png', ''),
      await gallery.writeFile('drawing.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>'),
    ]

    await dropFiles([good, ...bad], page.getByRole('main'))

    await expect(gallery.tray).toContainText('1 uploaded, 5 failed')
    for (const name of ['cut.png', 'letter.png', 'empty.png', 'drawing.svg']) {
      await expect(gallery.upload(name)).toBeVisible()
    }
    await expect(gallery.upload('empty.png')).toContainText('empty')
    await expect(gallery.upload('huge.png')).toContainText('too large')
    await expect(gallery.upload('huge.png')).toContainText('40')
    expect(await api.namesOn()).toEqual(['cat.png'])
  })
})

test('resumes an interrupted upload when the connection returns', async ({
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

test('says that the database is away, and uploads when it is back @long', async ({
  api,
  gallery,
  page,
}) => {
  await gallery.open({ board: 'none' })
  const json = { detail: 'The database does not answer. Try again in a moment.' }
  const headers = { 'x-refusal-code': 'database_down' }
  await page.route(ANY_UPLOAD, (route) => route.fulfill({ status: 503, headers, json }))
  await gallery.dropFiles(['cat.png'], { on: 'page' })
  await expect(gallery.tray).toContainText('The database is away,')

  await page.unroute(ANY_UPLOAD)
  await gallery.tray.getByRole('button', { name: 'Try now' }).click()

  await expect(gallery.tray).toContainText('1 uploaded')
  expect(await api.namesOn()).toEqual(['cat.png'])
})

test.describe('at 320 px', () => {
  test.use({ viewport: { width: 320, height: 640 } })

  test('shows the seconds of a wait, and names the database in the end @long', async ({
    gallery,
    page,
  }) => {
    await page.goto('/?board=none')
    const json = { detail: 'The database does not answer. Try again in a moment.' }
    const headers = { 'x-refusal-code': 'database_down' }
    await page.route(ANY_UPLOAD, (route) => route.fulfill({ status: 503, headers, json }))
    await gallery.dropFiles(['cat.png'], { on: 'page' })
    const wait = gallery.tray.getByText(/^The database is away, \d+ s$/)
    await expect(wait).toBeVisible()
    const isCut = await wait.evaluate(
      (text) => text.scrollWidth > text.clientWidth || text.scrollHeight > text.clientHeight,
    )
    expect(isCut).toBe(false)
    await gallery.tray.getByRole('button', { name: 'Show files' }).click()

    const failed = gallery.upload('cat.png').getByText('The database does not answer.')
    await expect(async () => {
      await gallery.tray.getByRole('button', { name: 'Try now' }).click({ timeout: 1000 })
      await expect(failed).toBeVisible({ timeout: 100 })
    }).toPass()
  })
})

test('pauses, resumes and cancels uploads', async ({ api, gallery, page }) => {
  await gallery.open({ board: 'none' })
  await page.route(ANY_UPLOAD, () => {}) // never answered
  await gallery.dropFiles(['cat.png', 'dog.jpg'], { on: 'page' })

  await gallery.tray.getByRole('button', { name: 'Pause uploads' }).click()
  await expect(gallery.tray).toContainText('Paused: 0 of 2')
  await page.unroute(ANY_UPLOAD)
  await gallery.tray.getByRole('button', { name: 'Cancel dog.jpg' }).click()
  await gallery.tray.getByRole('button', { name: 'Resume uploads' }).click()

  await expect(gallery.tray).toContainText('1 uploaded, 1 canceled')
  expect(await api.namesOn()).toEqual(['cat.png'])
})

test('warns before leaving during an upload, and continues after a reload @long', async ({
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
      isHeld = false // the next page may send immediately
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
