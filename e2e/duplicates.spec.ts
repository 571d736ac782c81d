import type { Locator, Page, Route } from '@playwright/test'
import sharp from 'sharp'
import { drawPicture } from '#demo/draw-picture.ts'
import type { LibraryMaker } from '#testing/library/library-maker.ts'
import { seriousFaultsInBothSchemes } from './fixtures/serious-faults-of.ts'
import { expect, test } from './fixtures.ts'

const LISTS = '**/api/v1/duplicates?*'
const RESOLVE = '**/api/v1/duplicates/resolve'
const DISMISS = '**/api/v1/duplicates/dismiss'
const KEEP_ONE = 'Keep this one, delete the other'

const upload = async (api: LibraryMaker, fileName: string, bytes: Uint8Array) =>
  (await api.client.uploads.upload({ bytes: new Blob([new Uint8Array(bytes)]), fileName }))
    .image_name

const draw = async (seed: number) =>
  (await drawPicture({ seed, kind: 'comfyui', widthPx: 640, heightPx: 480 })).bytes

/** Uploads a picture and a small copy, which has a star, a rating and a tag. */
async function uploadPair(api: LibraryMaker, seed = 1): Promise<void> {
  const bytes = await draw(seed)
  await upload(api, `${seed}.png`, bytes)
  const small = await sharp(bytes).resize(160).jpeg().toBuffer()
  const name = await upload(api, `${seed}-small.jpg`, small)
  await api.client.images.star([name])
  await api.client.images.rate([name], 4)
  await api.client.images.tag([name], { add: ['castle'] })
}

/** Returns the star, the rating and the tags by file name. */
const marks = async (api: LibraryMaker) =>
  Object.fromEntries(
    (await api.imagesOn()).map(({ file_name, starred, rating, tags }) => [
      file_name,
      [starred, rating, ...tags],
    ]),
  )

const BEFORE = { '1.png': [false, 0], '1-small.jpg': [true, 4, 'castle'] }
const AFTER = { '1.png': [true, 4, 'castle'] }

const names = async (api: LibraryMaker) => (await api.namesOn())?.toSorted()
const groupsOf = (page: Page) => page.getByRole('region', { name: /^Group \d/ })
const imageIn = (parent: Page | Locator, fileName: string) =>
  parent.getByRole('button', { name: new RegExp(`^Keep ${fileName},`) })

test('finds copies, keeps one with its reason, dismisses others, and undoes both', async ({
  api,
  gallery,
  page,
}) => {
  const castle = await draw(1)
  await upload(api, 'castle.png', castle)
  await upload(api, 'castle again.png', castle)
  await upload(api, 'small.jpg', await sharp(castle).resize(320).jpeg().toBuffer())
  await upload(api, 'mirrored.png', await sharp(castle).flop().png().toBuffer())
  const fox = await draw(5)
  await upload(api, 'fox.png', fox)
  await upload(api, 'fox.webp', await sharp(fox).webp({ quality: 70 }).toBuffer())
  await upload(api, 'other.png', await draw(12))

  await gallery.open()
  await gallery.sidebar.getByRole('link', { name: 'Duplicates' }).click()
  await expect(groupsOf(page)).toHaveCount(2)
  await expect(page).toHaveTitle(/^Duplicates/)
  await expect(page.getByText(/^2 groups, 6 images, .* to gain$/)).toBeVisible()
  const group = groupsOf(page).filter({ has: imageIn(page, 'castle.png') })
  await expect(group).toContainText('4 images')
  await expect(group).toContainText('Suggested: ')
  await expect(imageIn(group, 'small.jpg')).toHaveAccessibleName(/320 × 240 · JPG/)
  await expect(group.getByRole('button', { pressed: true })).toHaveCount(1)
  expect(await seriousFaultsInBothSchemes(page), 'groups').toEqual([])

  await imageIn(group, 'mirrored.png').click()
  await expect(group).toContainText('Kept by your choice.')
  await group.getByRole('button', { name: 'Keep this one, delete 3 others' }).click()
  await expect(groupsOf(page)).toHaveCount(1)
  await expect(gallery.toast('Deleted 3 duplicates')).toContainText('Kept mirrored.png.')
  expect(await seriousFaultsInBothSchemes(page), 'toast').toEqual([])
  await expect.poll(() => names(api)).toEqual(['fox.png', 'fox.webp', 'mirrored.png', 'other.png'])
  await gallery.undo()
  await expect(groupsOf(page)).toHaveCount(2)
  await expect.poll(async () => (await names(api))?.length).toBe(7)

  const foxes = groupsOf(page).filter({ has: imageIn(page, 'fox.png') })
  await foxes.getByRole('button', { name: 'Not duplicates' }).click()
  await expect(groupsOf(page)).toHaveCount(1)
  await expect(gallery.toast('2 images marked as not duplicates')).toBeVisible()
  await page.reload()
  await expect(groupsOf(page)).toHaveCount(1)
  await page.keyboard.press('Control+z')
  await expect(groupsOf(page)).toHaveCount(2)

  await page.getByRole('button', { name: 'Keep the suggested ones…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete 4 duplicates?' })
  await expect(dialog).toContainText('Of all 2 groups')
  expect(await seriousFaultsInBothSchemes(page), 'question').toEqual([])
  await dialog.getByRole('button', { name: 'Delete 4 duplicates' }).click()
  await expect(page.getByText('No duplicates', { exact: true })).toBeVisible()
  await expect(gallery.toast('Deleted 4 duplicates')).toBeVisible()
  expect(await seriousFaultsInBothSchemes(page), 'no duplicates').toEqual([])
  await gallery.undo()
  await expect(groupsOf(page)).toHaveCount(2)
})

test('finds nearly the same pictures by a slider, and says so without any @long', async ({
  api,
  gallery,
  page,
}) => {
  const tower = await draw(9)
  await upload(api, 'tower.png', tower)
  const patch = { create: { width: 150, height: 110, channels: 3 as const, background: '#777' } }
  const retouched = sharp(tower).composite([{ input: patch, left: 60, top: 300 }])
  await upload(api, 'retouched.png', await retouched.png().toBuffer())

  await gallery.open()
  await page.goto('/?board=duplicates')
  await expect(page.getByText('No duplicates', { exact: true })).toBeVisible()
  await page.getByRole('radio', { name: 'Nearly the same' }).check()
  const slider = page.getByRole('slider', { name: 'Allowed differences' })
  await slider.fill('11')
  await expect(page.getByText('Larger differences')).toBeVisible()
  await expect(groupsOf(page)).toHaveCount(1)
  expect(await seriousFaultsInBothSchemes(page), 'slider').toEqual([])
  await slider.focus()
  await page.keyboard.press('Home')
  await expect(slider).toHaveAttribute('aria-valuetext', /^0 of 11/)
  await expect(page.getByText('No duplicates', { exact: true })).toBeVisible()

  await page.getByRole('radio', { name: 'Same files' }).check()
  await expect(slider).toBeHidden()
  await gallery.search.fill('is:starred')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Look at all images' }).click()
  await expect(gallery.search).toHaveValue('')
})

test('does everything by keys', async ({ api, gallery, page }) => {
  for (const seed of [1, 5]) await uploadPair(api, seed)
  await gallery.open()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('Duplicates')
  await expect(page.getByRole('option', { name: 'Duplicates', selected: true })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(groupsOf(page)).toHaveCount(2)
  const [first, second] = [groupsOf(page).nth(0), groupsOf(page).nth(1)]
  const keptIn = (group: Locator) => group.getByRole('button', { pressed: true })
  const imagesIn = (group: Locator) => group.getByRole('button', { name: /^Keep .*×/ })
  await tabToImage(page)
  await expect(keptIn(first)).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(keptIn(second)).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowRight')
  await expect(imagesIn(first).nth(1)).toBeFocused()
  await page.keyboard.press('k')
  await expect(first).toContainText('Kept by your choice.')

  await page.keyboard.press('c')
  const comparison = page.getByRole('dialog', { name: 'Comparison' })
  await expect(comparison.getByRole('listitem')).toHaveCount(2)
  await page.keyboard.press('Escape')
  await expect(comparison).toBeHidden()
  await expect(imagesIn(first).nth(1)).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(gallery.viewer).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(gallery.viewer).toBeHidden()
  await expect(imagesIn(first).nth(1)).toBeFocused()

  await page.keyboard.press('Delete')
  await expect(groupsOf(page)).toHaveCount(1)
  await expect(keptIn(groupsOf(page))).toBeFocused()
  await expect(gallery.toast('Deleted 1 duplicate')).toBeVisible()
  await page.keyboard.press('n')
  await expect(page.getByText('No duplicates', { exact: true })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Groups' })).toBeFocused()
  await page.keyboard.press('Control+z')
  await expect(groupsOf(page)).toHaveCount(1)
  await page.keyboard.press('Control+z')
  await expect(groupsOf(page)).toHaveCount(2)
  await expect.poll(async () => (await names(api))?.length).toBe(4)
})

/** Presses Tab until an image has the focus. On the way, the search field hides the page behind its suggestions. */
async function tabToImage(page: Page): Promise<void> {
  const hasFocus = () =>
    page.evaluate(
      () => document.activeElement?.matches('[data-duplicates] [aria-pressed]') ?? false,
    )
  for (let presses = 0; presses < 40 && !(await hasFocus()); presses += 1)
    await page.keyboard.press('Tab')
}

test('says why the list or an action failed, and tries again @long', async ({
  api,
  gallery,
  page,
}) => {
  await uploadPair(api)
  const refuse = (route: Route) => route.fulfill({ status: 500, json: {} })
  await page.route(LISTS, refuse)
  await page.goto('/?board=duplicates')
  await expect(page.getByText('The duplicates could not be loaded')).toBeVisible()
  await expect(page.getByRole('alert')).toContainText('failed (500).')
  expect(await seriousFaultsInBothSchemes(page), 'failed').toEqual([])
  await page.unroute(LISTS)
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(groupsOf(page)).toHaveCount(1)

  await page.route(RESOLVE, refuse)
  await page.getByRole('button', { name: KEEP_ONE }).click()
  const failure = gallery.toast('Could not delete 1 duplicate')
  await expect(failure).toContainText('failed (500).')
  await expect(groupsOf(page)).toHaveCount(1)
  await page.unroute(RESOLVE)
  await failure.getByRole('button', { name: 'Retry' }).click()
  await expect(gallery.toast('Deleted 1 duplicate')).toBeVisible()
  await expect.poll(() => marks(api)).toEqual(AFTER)
})

test('keeps its Undo if the answer is lost @long', async ({ api, gallery, page }) => {
  await uploadPair(api)
  await page.goto('/?board=duplicates')
  await loseFirstAnswer(page, RESOLVE)
  await page.getByRole('button', { name: KEEP_ONE }).click()
  await expect(gallery.toast('Deleted 1 duplicate')).toBeVisible()
  expect(await marks(api)).toEqual(AFTER)
  await gallery.undo()
  await expect.poll(() => marks(api)).toEqual(BEFORE)

  await expect(groupsOf(page)).toHaveCount(1)
  await loseFirstAnswer(page, DISMISS)
  await page.getByRole('button', { name: 'Not duplicates' }).click()
  await expect(gallery.toast('2 images marked as not duplicates')).toBeVisible()
  await gallery.undo()
  await expect(groupsOf(page)).toHaveCount(1)
})

/** Lets the server do the first request, and cuts the connection instead of its answer. */
async function loseFirstAnswer(page: Page, url: string): Promise<void> {
  const lose = async (route: Route) => {
    await route.fetch()
    await route.abort('connectionreset')
  }
  await page.route(url, lose, { times: 1 })
}

for (const isDone of [true, false])
  test(`undoes after a reload that comes ${isDone ? 'before the answer' : 'before the request'} @long`, async ({
    api,
    page,
  }) => {
    await uploadPair(api)
    await page.goto('/?board=duplicates')
    const arrived = Promise.withResolvers<void>()
    await page.route(RESOLVE, async (route) => {
      if (isDone) await route.fetch()
      arrived.resolve() // the page never gets an answer
    })
    await page.getByRole('button', { name: KEEP_ONE }).click()
    await arrived.promise
    expect(await marks(api)).toEqual(isDone ? AFTER : BEFORE)
    await expect.poll(() => isStored(page)).toBe(true)
    await page.unroute(RESOLVE)
    await page.reload()

    await expect(page.getByText('No duplicates', { exact: true })).toBeVisible()
    await expect.poll(() => marks(api)).toEqual(AFTER)
    await page.keyboard.press('Control+z')
    await expect.poll(() => marks(api)).toEqual(BEFORE)
    await expect(groupsOf(page)).toHaveCount(1)
    await page.keyboard.press('Control+y')
    await expect.poll(() => marks(api)).toEqual(AFTER)
  })

/** Returns true when the browser has stored a change, and its entry of the history. */
const isStored = (page: Page): Promise<boolean> =>
  page.evaluate(async () => {
    const countIn = async (name: string, store: string) => {
      const answerOf = <Result>(request: IDBRequest<Result>) =>
        new Promise<Result>((resolve, reject) => {
          request.onsuccess = () => resolve(request.result)
          request.onerror = () => reject(request.error)
        })
      const database = await answerOf(indexedDB.open(name))
      const count = await answerOf(database.transaction(store).objectStore(store).count())
      database.close()
      return count
    }
    const counts = [
      await countIn('keyval-store', 'keyval'),
      await countIn('tessera-journal', 'journal'),
    ]
    return counts.every((count) => count > 0)
  })

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  test('chooses, deletes and undoes by touch', async ({ api, gallery, page }) => {
    await uploadPair(api)
    await page.goto('/')
    await page.getByRole('button', { name: 'Open sidebar' }).tap()
    await gallery.sidebar.getByRole('link', { name: 'Duplicates' }).tap()
    const group = groupsOf(page)
    await expect(group).toHaveCount(1)
    await expect(page.getByRole('slider')).toBeHidden()
    await page.getByRole('radio', { name: 'Nearly the same' }).tap()
    await expect(page.getByRole('slider', { name: 'Allowed differences' })).toBeVisible()
    await imageIn(group, '1-small.jpg').tap()
    await expect(group).toContainText('Kept by your choice.')
    expect(await seriousFaultsInBothSchemes(page), 'phone').toEqual([])
    expect(await smallTargets(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)

    await group.getByRole('button', { name: 'Open 1.png' }).tap()
    await expect(gallery.viewer).toBeVisible()
    await page.goBack()
    await expect(gallery.viewer).toBeHidden()
    await group.getByRole('button', { name: KEEP_ONE }).tap()
    await expect.poll(() => names(api)).toEqual(['1-small.jpg'])
    await gallery.toast('Deleted 1 duplicate').getByRole('button', { name: 'Undo' }).tap()
    await expect.poll(() => marks(api)).toEqual(BEFORE)
    await expect(group).toHaveCount(1)
  })
})

/** Returns the names of buttons of the duplicates that are too small for a finger. */
const smallTargets = (page: Page): Promise<string[]> =>
  page
    .getByRole('main', { name: 'Duplicates' })
    .getByRole('region')
    .getByRole('button')
    .evaluateAll((buttons) =>
      buttons.flatMap((button) => {
        const { width, height } = button.getBoundingClientRect()
        return width < 44 || height < 44 ? (button.ariaLabel ?? button.textContent) : []
      }),
    )

test.describe('with hundreds of groups', () => {
  test.use({ libraryOf: 600, librarySize: { pictureCount: 240 } })

  test('renders those in sight, without overlaps, and loads the others @long', async ({
    api,
    page,
  }) => {
    await page.goto('/?board=duplicates')
    await page.getByRole('radio', { name: 'Same files' }).check()
    const { total } = await api.client.duplicates.list({ match: 'bytes' }, { limit: 0 })
    await expect(page.getByText(new RegExp(`^${total} groups`))).toBeVisible()
    const last = page.getByRole('region', { name: `Group ${total}`, exact: true })
    await groupsOf(page).first().hover()
    while (!(await last.isVisible())) {
      await page.mouse.wheel(0, 3_000)
      const { overlaps, count } = await placesOf(page)
      expect(overlaps).toEqual([])
      expect(count).toBeLessThan(20)
    }
    await page.mouse.wheel(0, -1_000_000)
    await expect(page.getByRole('region', { name: 'Group 1', exact: true })).toBeVisible()
    await expect(last).toBeHidden()
    expect((await placesOf(page)).overlaps).toEqual([])
  })
})

/** Returns the rendered groups, and those that begin above the end of the one before. */
const placesOf = (page: Page): Promise<{ count: number; overlaps: (string | null)[] }> =>
  page.evaluate(async () => {
    const frame = () => new Promise((drawn) => requestAnimationFrame(drawn))
    // Rows are measured after they are rendered.
    await frame()
    await frame()
    const groups = [...document.querySelectorAll('[data-duplicates] > li')]
      .map((group) => ({ group, box: group.getBoundingClientRect() }))
      .sort((one, other) => one.box.top - other.box.top)
    const overlaps = groups.flatMap(({ group, box }, at) => {
      const before = groups[at - 1]?.box.bottom ?? Number.NEGATIVE_INFINITY
      return box.top < before - 1 ? group.getAttribute('aria-posinset') : []
    })
    return { count: groups.length, overlaps }
  })
