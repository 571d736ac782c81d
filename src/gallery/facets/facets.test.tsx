import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { GalleryInWindow } from '#integration/gallery-in-window.ts'

const startGallery = GalleryInWindow.reusingServer()
let gallery: GalleryInWindow
/** The requests for counts, without their common start. */
let asked: URLSearchParams[] = []

beforeEach(async () => {
  gallery = await startGallery()
  asked = []
  gallery.onRequest = ({ path }) => {
    const [address, query] = path.split('?')
    if (address?.endsWith('/images/facets')) asked.push(new URLSearchParams(query))
  }
  await gallery.api.createBoard('Castles')
  await gallery.api.uploadImages(['a.png', 'b.png'], { board: 'Castles' })
  await gallery.api.uploadImage('c.jpg', { widthPx: 64, heightPx: 96 })
  await gallery.api.uploadImage('d.webp', { widthPx: 64, heightPx: 64 })
})

const panel = () => screen.findByRole('complementary', { name: 'Properties' })

/** Returns the rows of a section as screen readers read them. */
const rows = async (section: string) => {
  const list = await within(await panel()).findByRole('list', { name: `Values of ${section}` })
  return [...list.querySelectorAll('[data-value]')].map((row) => row.getAttribute('aria-label'))
}

const row = async (name: string | RegExp) => within(await panel()).findByRole('button', { name })

const openPanel = async (place: Parameters<GalleryInWindow['open']>[0] = {}) => {
  await gallery.open(place)
  await gallery.press('Properties')
  await panel()
}

const query = () => new URLSearchParams(window.location.search).get('q') ?? ''

const showsTiles = (...names: string[]) => waitFor(() => expect(gallery.tiles()).toEqual(names))

test('counts what a search finds on each board in the sidebar', async () => {
  await gallery.api.createBoard('Clients/Acme')
  await gallery.api.uploadImage('e.png', { board: 'Clients/Acme' })
  const shown = async () => {
    const navigation = await screen.findByRole('navigation', { name: 'Boards' })
    return [...navigation.querySelectorAll('.tabular-nums')].map((count) => count.textContent)
  }
  await gallery.open()
  await waitFor(async () => expect(await shown()).toEqual(['5', '0', '2', '1', '1', '2']))

  await gallery.user.type(screen.getByRole('combobox', { name: /Search/ }), 'type:png{Enter}')
  await waitFor(async () => expect(await shown()).toEqual(['3', '0', '0', '1', '1', '2']))

  await gallery.user.clear(screen.getByRole('combobox', { name: /Search/ }))
  // Closes the suggestions, which hide the rest from screen readers.
  await gallery.user.keyboard('{Escape}')
  await waitFor(async () => expect(await shown()).toEqual(['5', '0', '2', '1', '1', '2']))
})

test('opens with a key, counts all values in one request, and returns the focus', async () => {
  await gallery.open()
  await gallery.image('a.png')
  const focused = screen.getByRole('button', { name: 'Filter' })
  focused.focus()
  expect(asked).toHaveLength(0)

  await gallery.user.keyboard('g')
  expect(await rows('Format')).toEqual(['PNG, 2 images', 'JPG, 1 image', 'WEBP, 1 image'])
  expect(await rows('Shape')).toEqual([
    ...['Landscape, 2 images', 'Portrait, 1 image', 'Square, 1 image'],
  ])
  expect(await rows('Size')).toEqual(['96 × 64, 2 images', '64 × 64, 1 image', '64 × 96, 1 image'])
  expect(await rows('Board')).toEqual(['Castles, 2 images'])
  expect(asked).toHaveLength(1)
  expect(document.activeElement).toBe(await panel())

  await gallery.user.keyboard('{Escape}')
  await waitFor(() =>
    expect(screen.queryByRole('complementary', { name: 'Properties' })).toBeNull(),
  )
  await waitFor(() => expect(document.activeElement).toBe(focused))
})

test('stays open after a reload, without the focus, and hides boards on a board @long', async () => {
  await openPanel()
  await rows('Board')

  await gallery.open({ board: 'Castles' })

  expect(await rows('Format')).toEqual(['PNG, 2 images'])
  expect(screen.queryByRole('list', { name: 'Values of Board' })).toBeNull()
  expect((await panel()).contains(document.activeElement)).toBe(false)
})

test('includes alternatives by clicks, and removes one by a second click', async () => {
  await openPanel()

  await gallery.user.click(await row('JPG, 1 image'))
  await showsTiles('c.jpg')
  expect(query()).toBe('type:jpg')
  await waitFor(async () =>
    expect(await rows('Format')).toEqual([
      ...['JPG, 1 image, included', 'PNG, 2 images', 'WEBP, 1 image'],
    ]),
  )
  await waitFor(async () => expect(await rows('Shape')).toEqual(['Portrait, 1 image']))

  await gallery.user.click(await row('WEBP, 1 image'))
  await showsTiles('d.webp', 'c.jpg')
  expect(query()).toBe('(type:jpg OR type:webp)')

  await gallery.user.click(await row('JPG, 1 image, included'))
  await showsTiles('d.webp')
  expect(query()).toBe('type:webp')
})

test('excludes by Alt+click and by the button of a value, and clears all', async () => {
  await openPanel({ path: '/?q=-is:starred' })

  await gallery.user.keyboard('{Alt>}')
  await gallery.user.click(await row('PNG, 2 images'))
  await gallery.user.keyboard('{/Alt}')
  await showsTiles('d.webp', 'c.jpg')
  expect(query()).toBe('-is:starred -type:png')
  await row('PNG, 2 images, excluded')

  await gallery.press('Exclude JPG')
  await showsTiles('d.webp')
  await gallery.press('No longer exclude PNG')
  await showsTiles('d.webp', 'b.png', 'a.png')
  await gallery.user.click(await row('JPG, 1 image, excluded'))
  await waitFor(() => expect(query()).toBe('-is:starred'))

  await gallery.press('Exclude JPG')
  await gallery.press('Clear')
  expect(query()).toBe('-is:starred')
})

test('moves through a section by arrow keys, and excludes with Delete but deletes nothing @long', async () => {
  await openPanel()
  await gallery.select('a.png')
  const list = await within(await panel()).findByRole('list', { name: 'Values of Format' })
  expect(list.querySelectorAll('[tabindex="0"]')).toHaveLength(1)

  ;(await row('PNG, 2 images')).focus()
  await gallery.user.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}')
  expect(document.activeElement?.getAttribute('aria-label')).toBe('WEBP, 1 image')
  await gallery.user.keyboard('{Home}{Delete}')

  await showsTiles('d.webp', 'c.jpg')
  await waitFor(() =>
    expect(document.activeElement?.getAttribute('aria-label')).toBe('PNG, 2 images, excluded'),
  )
  await gallery.user.keyboard('-')
  await showsTiles('d.webp', 'b.png', 'a.png', 'c.jpg')
  await gallery.user.keyboard(' ')
  await showsTiles('b.png', 'a.png')
  expect(await gallery.api.trashedNames()).toEqual([])
})

test('counts a level of tags that is chosen, also in the long list', async () => {
  const [newest, second] = await gallery.api.imagesOn()
  await gallery.api.client.images.tag([newest?.image_name ?? ''], { add: ['People/anna', 'sea'] })
  await gallery.api.client.images.tag([second?.image_name ?? ''], {
    add: ['people/bob', ...Array.from({ length: 8 }, (_, at) => `tag ${at}`)],
  })
  await openPanel({ path: '/?q=tag=people/' })

  expect((await rows('Tag'))[0]).toBe('people/, 2 images, included')
  await gallery.press('More… values of Tag')
  expect((await rows('Tag'))[0]).toBe('people/, 2 images, included')
  await gallery.press('Exclude people/')
  await waitFor(async () => expect((await rows('Tag'))[0]).toBe('people/, 2 images, excluded'))
  expect(query()).toBe('-tag=people/')
})

test('lists the keys of the values among the shortcuts @long', async () => {
  await gallery.open()
  await gallery.user.keyboard('{Shift>}?{/Shift}')

  const keys = within(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' }))
  const row = (await keys.findByText('Exclude the value')).parentElement
  expect(row?.textContent).toMatch(/Exclude the value.*Del.*-$/)
  keys.getByText('Next or previous value')
})

test('lists more values, which a text filters', async () => {
  for (let side = 100; side < 110; side += 1)
    await gallery.api.uploadImage(`${side}.png`, { widthPx: side, heightPx: 70 })
  await openPanel()
  expect(await rows('Size')).toHaveLength(8)

  await gallery.press('More… values of Size')
  await waitFor(async () => expect(await rows('Size')).toHaveLength(13))
  const field = screen.getByRole('searchbox', { name: 'Filter values of Size' })
  expect(document.activeElement).toBe(field)
  await gallery.user.keyboard('107')
  await waitFor(async () => expect(await rows('Size')).toEqual(['107 × 70, 1 image']))
  await gallery.user.click(await row('107 × 70, 1 image'))
  await showsTiles('107.png')
  expect(await rows('Size')).toEqual(['107 × 70, 1 image, included'])

  await gallery.user.clear(field)
  await gallery.user.type(field, 'nothing')
  await within(await panel()).findByText('No value matches.')
  await gallery.press('Less values of Size')
  await waitFor(async () => expect((await rows('Size'))[0]).toBe('107 × 70, 1 image, included'))
})

test('remembers folded sections and counts what is chosen in them @long', async () => {
  await openPanel({ path: '/?q=type:png' })
  await row('PNG, 2 images, included')

  await gallery.press('Format')
  expect(screen.queryByRole('list', { name: 'Values of Format' })).toBeNull()
  await gallery.reload()

  const header = await row('Format 1 chosen')
  expect(header.getAttribute('aria-expanded')).toBe('false')
})

test('follows changes of the library', async () => {
  await openPanel()
  await row('PNG, 2 images')

  await gallery.deleteImage('a.png')
  await row('PNG, 1 image')
  await gallery.api.uploadImage('new.gif')

  await row('GIF, 1 image')
})

test('says that no image matches, that counting failed, and counts again', async () => {
  await openPanel({ path: '/?q=zzzz' })
  await within(await panel()).findByText('No properties in this view')

  gallery.answer = ({ path }) =>
    path.includes('/images/facets') ? new Response('{}', { status: 400 }) : undefined
  await gallery.open()
  await within(await panel()).findByText('Couldn’t count the properties')
  gallery.answer = () => undefined
  await gallery.user.click(within(await panel()).getByRole('button', { name: 'Retry' }))
  expect(await rows('Format')).toHaveLength(3)
})
