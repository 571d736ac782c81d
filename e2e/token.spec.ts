import { connect } from '#client/index.ts'
import { LibraryMaker } from '#testing/library-maker.ts'
import { test as base, expect } from './fixtures.ts'

const TOKEN = 'open-sesame'

const test = base.extend({
  api: async ({ server }, use) =>
    use(new LibraryMaker(connect({ baseUrl: server.url, token: TOKEN }))),
})
test.use({ serverFlags: ['--token', TOKEN] })

test('without its link the page says what to do and shows nothing', async ({ gallery, page }) => {
  await page.goto('/')

  await expect(page.getByRole('heading', { name: 'Open this gallery with its link' })).toBeVisible()
  await expect(page.getByText('Use the link with ?token= that the server printed')).toBeVisible()
  await expect(gallery.sidebar).toBeHidden()
  expect((await page.request.get('/api/v1/boards/?all=true')).status()).toBe(401)
})

test('a wrong token opens nothing', async ({ context, page }) => {
  await page.goto('/?token=open-barley')

  await expect(page.getByRole('heading', { name: 'Open this gallery with its link' })).toBeVisible()
  expect(await context.cookies()).toEqual([])
})

test('the printed link opens the gallery, and the browser remembers it', async ({
  api,
  context,
  gallery,
  page,
}) => {
  await api.uploadImage('cat.png')

  await page.goto(`/?board=none&token=${TOKEN}`)
  await expect(gallery.image('cat.png')).toBeVisible()
  expect(page.url()).not.toContain(TOKEN)
  expect(await context.cookies()).toEqual([
    expect.objectContaining({ httpOnly: true, sameSite: 'Strict', path: '/' }),
  ])
  expect(JSON.stringify(await context.cookies())).not.toContain(TOKEN)

  await page.reload()
  await expect(gallery.image('cat.png').locator('img')).toHaveJSProperty('complete', true)
  await page.goto('/')
  await expect(gallery.image('cat.png')).toBeVisible()
})

test('under another name the server answers nothing, with the token or without', async ({
  page,
  server,
}) => {
  const { port } = new URL(server.url)
  const elsewhere = `http://gallery.localhost:${port}`

  for (const path of ['/', `/?token=${TOKEN}`, '/api/v1/boards/?all=true']) {
    const answer = await page.goto(`${elsewhere}${path}`)
    expect(answer?.status()).toBe(403)
  }
  await expect(page.getByText('Open this gallery with its link')).toBeHidden()
  expect(await page.context().cookies()).toEqual([])
})
