import { connect } from '#client/index.ts'
import { LibraryMaker } from '#testing/library/library-maker.ts'
import { test as base, expect } from './fixtures.ts'

const TOKEN = 'open-sesame'

const test = base.extend({
  api: async ({ server }, use) =>
    use(new LibraryMaker(connect({ baseUrl: server.url, token: TOKEN }))),
})
test.use({ serverFlags: ['--token', TOKEN] })

test('opens the gallery by the printed link under its own name only, and remembers the browser', async ({
  api,
  context,
  gallery,
  page,
  server,
}) => {
  await api.uploadImage('cat.png')

  await page.goto(`/?board=none&token=${TOKEN}`)
  await expect(gallery.image('cat.png')).toBeVisible()
  await expect(page).not.toHaveURL(new RegExp(TOKEN))
  expect(await context.cookies()).toEqual([
    expect.objectContaining({ httpOnly: true, sameSite: 'Strict', path: '/' }),
  ])
  expect(JSON.stringify(await context.cookies())).not.toContain(TOKEN)

  await page.reload()
  await expect(gallery.image('cat.png').locator('img')).toHaveJSProperty('complete', true)
  await page.goto('/')
  await expect(gallery.image('cat.png')).toBeVisible()

  // Under another name, the server refuses requests with and without the token.
  const elsewhere = `http://gallery.localhost:${new URL(server.url).port}`
  for (const path of ['/', `/?token=${TOKEN}`, '/api/v1/boards/?all=true']) {
    const answer = await page.goto(`${elsewhere}${path}`)
    expect(answer?.status(), path).toBe(403)
  }
  await expect(page.getByText('Open this gallery with its link')).toBeHidden()
  expect(await context.cookies(elsewhere)).toEqual([])
})
