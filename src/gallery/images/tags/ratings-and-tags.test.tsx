import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import fc from 'fast-check'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { GalleryInWindow } from '#integration/gallery-in-window.ts'
import { roundsOf } from '#testing/rounds.ts'

class NoObserver {
  observe(): void {}
  disconnect(): void {}
}

const startGallery = GalleryInWindow.reusingServer()
let gallery: GalleryInWindow
beforeEach(async () => {
  vi.stubGlobal('IntersectionObserver', NoObserver)
  gallery = await startGallery()
  for (const { name } of await gallery.api.client.tags.list()) {
    await gallery.api.client.tags.delete(name)
  }
  await gallery.api.uploadImages(['a.png', 'b.png', 'c.png'])
})

const recordOf = async (fileName: string) => {
  const images = await gallery.api.imagesOn()
  const image = images.find(({ file_name }) => file_name === fileName)
  if (image === undefined) throw new Error(`There is no ${fileName}.`)
  return image
}
const ratings = async () =>
  Promise.all(['a.png', 'b.png', 'c.png'].map(async (name) => (await recordOf(name)).rating))
const tagsOf = async (fileName: string) => (await recordOf(fileName)).tags
const tag = async (fileName: string, ...add: string[]) =>
  gallery.api.client.images.tag([(await recordOf(fileName)).image_name], { add })
const undo = () => gallery.user.keyboard('{Control>}z{/Control}')
const redo = () => gallery.user.keyboard('{Control>}y{/Control}')
const describes = (fileName: string, text: string | null) =>
  waitFor(async () => {
    const description = (await gallery.image(fileName)).getAttribute('aria-description') ?? ''
    if (text === null) expect(description).not.toContain('Rated')
    else expect(description).toContain(text)
  })
const dialog = async () => within(await screen.findByRole('dialog', { name: 'Tags' }))
const section = (name: string) => within(screen.getByRole('region', { name }))
const unfold = async (name: string) => {
  await screen.findByRole('region', { name })
  await gallery.user.click(section(name).getByRole('button', { name }))
}

test('rates the selected images by key, at once, and undoes and redoes that', async () => {
  await gallery.open()
  await gallery.select('a.png', 'b.png')
  await gallery.user.keyboard('4')
  await describes('a.png', 'Rated 4 of 5')
  await gallery.toast('Rated 2 images with 4 stars')
  await expect.poll(ratings).toEqual([4, 4, 0])
  await undo()
  await describes('a.png', null)
  await expect.poll(ratings).toEqual([0, 0, 0])
  await redo()
  await expect.poll(ratings).toEqual([4, 4, 0])
  await gallery.user.keyboard('0')
  await expect.poll(ratings).toEqual([0, 0, 0])
})

test('Undo leaves a rating that somebody else has changed since', async () => {
  await gallery.open()
  await gallery.select('a.png', 'b.png')
  await gallery.user.keyboard('4')
  await expect.poll(ratings).toEqual([4, 4, 0])
  const { image_name } = await recordOf('a.png')
  await gallery.api.client.images.rate([image_name], 1)
  await undo()
  await expect.poll(ratings).toEqual([1, 0, 0])
})

test('undoes ratings after a reload @long', async () => {
  await gallery.open()
  await gallery.select('b.png')
  await gallery.user.keyboard('5')
  await expect.poll(ratings).toEqual([0, 5, 0])
  await gallery.settled()
  await gallery.reload()
  await describes('b.png', 'Rated 5 of 5')
  await undo()
  await expect.poll(ratings).toEqual([0, 0, 0])
})

test('rates in the viewer by key, and by stars in the details', async () => {
  await gallery.open()
  await gallery.view('a.png')
  await gallery.press('Details')
  const stars = within(await screen.findByRole('group', { name: 'Rating' }))
  await gallery.user.keyboard('3')
  await expect.poll(ratings).toEqual([3, 0, 0])
  await waitFor(() =>
    expect(stars.getByRole('button', { pressed: true }).getAttribute('aria-label')).toBe('3 stars'),
  )
  await gallery.user.click(stars.getByRole('button', { name: '5 stars' }))
  await expect.poll(ratings).toEqual([5, 0, 0])
  await waitFor(() => expect(stars.getByRole('button', { pressed: true })).toBeTruthy())
  await gallery.user.click(stars.getByRole('button', { name: '5 stars' }))
  await expect.poll(ratings).toEqual([0, 0, 0])
})

test('hides ratings and tags of a server that has none', async () => {
  await gallery.open()
  await screen.findByRole('region', { name: 'Ratings' })
  const { capabilities, queryClient } = gallery.page
  queryClient.setQueryData(capabilities.query.queryKey, (known) => {
    if (known === undefined) return known
    const extensions = known.extensions.filter((one) => one !== 'ratings' && one !== 'tags')
    return { ...known, extensions }
  })
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Ratings' })).toBeNull())
  await gallery.select('a.png')
  await gallery.user.keyboard('4t')
  expect(screen.queryByRole('dialog', { name: 'Tags' })).toBeNull()
  fireEvent.contextMenu(await gallery.image('a.png'))
  const menu = within(await screen.findByRole('menu', { name: 'Image' }))
  expect(menu.queryByRole('menuitem', { name: 'Rate' })).toBeNull()
  expect(menu.queryByRole('menuitem', { name: 'Tags…' })).toBeNull()
  expect(await ratings()).toEqual([0, 0, 0])
})

test('adds a typed tag by Enter, a known one by arrow, and takes one away', async () => {
  await tag('c.png', 'people/anna')
  await gallery.open()
  await gallery.select('a.png')
  await gallery.user.keyboard('t')
  const tags = await dialog()
  await tags.findByRole('option', { name: /people\/anna/ })
  await gallery.user.keyboard('keep{Enter}')
  await expect.poll(() => tagsOf('a.png')).toEqual(['keep'])
  await gallery.user.keyboard('peo')
  await tags.findByRole('option', { name: /^New tag/, selected: true })
  await gallery.user.keyboard('{ArrowDown}{Enter}')
  await expect.poll(() => tagsOf('a.png')).toEqual(['keep', 'people/anna'])
  const keep = await tags.findByRole('option', { name: /keep/, checked: true })
  await gallery.user.click(keep)
  await expect.poll(() => tagsOf('a.png')).toEqual(['people/anna'])
  await gallery.user.click(tags.getByRole('button', { name: 'Done' }))
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Tags' })).toBeNull())
  await undo()
  await expect.poll(() => tagsOf('a.png')).toEqual(['keep', 'people/anna'])
  await undo()
  await undo()
  await expect.poll(() => tagsOf('a.png')).toEqual([])
})

test('shows which tags all images have and which only some have', async () => {
  await tag('a.png', 'cat', 'dog')
  await tag('b.png', 'cat')
  await gallery.open()
  await gallery.select('a.png', 'b.png')
  await gallery.user.keyboard('t')
  const tags = await dialog()
  await tags.findByRole('option', { name: /cat/, checked: true })
  await gallery.user.click(await tags.findByRole('option', { name: /dog.*on 1 of 2/ }))
  await expect.poll(() => tagsOf('b.png')).toEqual(['cat', 'dog'])
  await tags.findByRole('option', { name: /dog/, checked: true })
})

test('refuses a name with an empty level @long', async () => {
  await gallery.open()
  await gallery.select('a.png')
  await gallery.user.keyboard('t')
  const tags = await dialog()
  await gallery.user.keyboard('people//anna{Enter}')
  expect((await tags.findByRole('alert')).textContent).toContain('each level')
  expect(await tagsOf('a.png')).toEqual([])
})

test('opens ratings and tags like boards, and takes images on them @long', async () => {
  await tag('a.png', 'people/anna')
  await tag('b.png', 'people/bob')
  const { image_name } = await recordOf('c.png')
  await gallery.api.client.images.rate([image_name], 4)
  await gallery.open()
  await unfold('Ratings')
  await gallery.user.click(await section('Ratings').findByRole('link', { name: '3 stars or more' }))
  await waitFor(() => expect(gallery.tiles()).toEqual(['c.png']))
  await unfold('Tags')
  await gallery.user.click(await section('Tags').findByRole('link', { name: 'people' }))
  await waitFor(() => expect(gallery.tiles()).toEqual(['b.png', 'a.png']))
  await gallery.user.click(section('Tags').getByRole('button', { name: 'Tags below people' }))
  await gallery.user.click(await section('Tags').findByRole('link', { name: 'people/anna' }))
  await waitFor(() => expect(gallery.tiles()).toEqual(['a.png']))
})

test('counts ratings and tags in the sidebar, and what a search finds of them', async () => {
  await tag('a.png', 'people/anna', 'people/bob')
  await tag('b.png', 'people/bob', 'sea')
  const rate = async (fileName: string, rating: number) =>
    gallery.api.client.images.rate([(await recordOf(fileName)).image_name], rating)
  await rate('a.png', 5)
  await rate('b.png', 3)
  await gallery.open()
  await unfold('Ratings')
  await unfold('Tags')
  await gallery.user.click(await screen.findByRole('button', { name: 'Tags below people' }))
  const counts = (names: readonly string[]) => names.map((name) => gallery.countOn(name))
  const ratingRows = ['5 stars', '4 stars or more', '3 stars or more', '1 star or more']
  const tagRows = ['people', 'people/anna', 'people/bob', 'sea']
  await waitFor(() => expect(counts(ratingRows)).toEqual(['1', '1', '2', '2']))
  await waitFor(() => expect(counts(tagRows)).toEqual(['2', '1', '2', '1']))

  await gallery.user.type(screen.getByRole('combobox', { name: /Search/ }), 'name:b{Enter}')
  await waitFor(() => expect(counts(ratingRows)).toEqual(['0', '0', '1', '1']))
  await waitFor(() => expect(counts(tagRows)).toEqual(['1', '0', '1', '1']))
  expect(section('Tags').getAllByTitle('1 of 2 found')).toHaveLength(2)

  await gallery.openBoard('people')
  await waitFor(() => expect(counts(tagRows)).toEqual(['2', '1', '2', '1']))
  await waitFor(() => expect(gallery.tiles()).toEqual(['b.png', 'a.png']))
  await gallery.select('b.png')
  await gallery.user.keyboard('5')
  await waitFor(() => expect(counts(ratingRows)).toEqual(['2', '2', '2', '2']))
})

test('counts the images of a level that a tag without images spells in another way @long', async () => {
  await tag('a.png', 'cafe')
  await tag('b.png', 'Café/x')
  const { image_name } = await recordOf('a.png')
  await gallery.api.client.images.tag([image_name], { remove: ['cafe'] })
  await gallery.open()
  await unfold('Tags')
  await screen.findByRole('button', { name: 'Tags below Café' })
  await waitFor(() => expect(gallery.countOn('Café')).toBe('1'))
})

test('marks only one row as current while a tag or a rating is open @long', async () => {
  await tag('a.png', 'cat')
  await gallery.open()
  const current = () =>
    screen
      .getAllByRole('link', { current: 'page' })
      .map((link) => link.getAttribute('aria-label'))
      .filter((name) => name !== 'Tessera')
  await unfold('Ratings')
  await unfold('Tags')
  await gallery.user.click(await section('Ratings').findByRole('link', { name: '3 stars or more' }))
  await waitFor(() => expect(current()).toEqual(['3 stars or more']))
  await gallery.user.click(await section('Tags').findByRole('link', { name: 'cat' }))
  await waitFor(() => expect(current()).toEqual(['cat']))
  await unfold('Tags')
  await waitFor(() => expect(current()).toEqual(['All images']))
})

test('renames a tag, asks before a merge, and undoes both', async () => {
  await tag('a.png', 'cat')
  await tag('b.png', 'kitten')
  await gallery.open()
  await unfold('Tags')
  ;(await section('Tags').findByRole('link', { name: 'kitten' })).focus()
  await gallery.user.keyboard('{F2}')
  const name = await screen.findByRole('textbox', { name: 'Name' })
  await gallery.user.clear(name)
  await gallery.user.type(name, 'cat{Enter}')
  expect((await screen.findByRole('button', { name: 'Merge' })).textContent).toBe('Merge')
  expect(await tagsOf('b.png')).toEqual(['kitten'])
  await gallery.press('Merge')
  await expect.poll(() => tagsOf('b.png')).toEqual(['cat'])
  await gallery.toast(/^Merged/)
  await gallery.undo()
  await expect.poll(() => tagsOf('b.png')).toEqual(['kitten'])
  expect(await tagsOf('a.png')).toEqual(['cat'])
  await redo()
  await expect.poll(() => tagsOf('b.png')).toEqual(['cat'])
})

test('counts no images as none while the counts of renamed tags are not known', async () => {
  await tag('a.png', 'sea', 'people/anna')
  const { tags } = gallery.api.client
  await gallery.open()
  await unfold('Tags')
  await waitFor(() => expect(gallery.countOn('people')).toBe('1'))
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>()
  onTestFinished(() => release())
  gallery.onRequest = ({ path }) => (path.includes('/facets') ? isReleased : undefined)

  await tags.update('sea', { new_name: 'ocean' })
  await tags.update('people/anna', { new_name: 'family/anna' })
  gallery.page.refresh.all()

  await section('Tags').findByRole('link', { name: 'ocean' })
  expect(gallery.countOn('ocean')).toBe('1')
  expect(gallery.countOn('family')).toBeNull()
  release()
  await waitFor(() => expect(gallery.countOn('family')).toBe('1'))
})

test('deletes and colors a tag, with Undo', async () => {
  await tag('a.png', 'cat')
  await gallery.open()
  await unfold('Tags')
  ;(await section('Tags').findByRole('link', { name: 'cat' })).focus()
  await gallery.user.keyboard('{ArrowRight}')
  const color = await screen.findByRole('menuitem', { name: 'Color' })
  await gallery.user.click(color)
  await gallery.user.click(await screen.findByRole('menuitem', { name: 'Green' }))
  await expect.poll(async () => (await gallery.api.client.tags.list())[0]?.color).toBe('green')
  ;(await section('Tags').findByRole('link', { name: 'cat' })).focus()
  await gallery.user.keyboard('{Delete}')
  await expect.poll(() => tagsOf('a.png')).toEqual([])
  await gallery.toast(/^Deleted the tag/)
  await undo()
  await expect.poll(() => tagsOf('a.png')).toEqual(['cat'])
})

const anyStep = fc.record({
  at: fc.subarray(['a.png', 'b.png', 'c.png'], { minLength: 1 }),
  change: fc.oneof(
    fc.record({ rating: fc.integer({ min: 0, max: 5 }) }),
    fc.record({ tag: fc.constantFrom('cat', 'people/anna', 'Cat', 'Cat#'), isAdded: fc.boolean() }),
  ),
})

test('Undo of any ratings and tags gives the state before, and Redo the state after', async () => {
  await tag('a.png', 'cat')
  await gallery.open()
  await gallery.image('a.png')
  const { journal, outbox } = gallery.page
  const names = new Map(
    (await gallery.api.imagesOn()).map(({ image_name, file_name }) => [file_name, image_name]),
  )
  /** The spelling of a tag does not belong to the state: another one may create it again. */
  const tagKeysOf = async (fileName: string) =>
    (await tagsOf(fileName))?.map((name) => name.toLowerCase())
  const state = async () => ({
    ratings: await ratings(),
    tags: await Promise.all(['a.png', 'b.png', 'c.png'].map(tagKeysOf)),
  })
  const before = await state()
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { maxLength: 8 }), async (steps) => {
      for (const { at, change } of steps) {
        const images = at.map((name) => names.get(name) ?? '')
        const step =
          'rating' in change
            ? outbox.rate(images, change.rating)
            : outbox.tag(images, change.tag, change.isAdded)
        await step.outcome
      }
      const after = await state()
      let undone = 0
      while (journal.undoLast({ isQuiet: true })) undone += 1
      await expect.poll(state).toEqual(before)
      for (let at = 0; at < undone; at += 1) journal.redoLast({ isQuiet: true })
      await expect.poll(state).toEqual(after)
      while (journal.undoLast({ isQuiet: true }));
      await expect.poll(state).toEqual(before)
    }),
    { numRuns: roundsOf({ usual: 1, all: 10 }) },
  )
})
