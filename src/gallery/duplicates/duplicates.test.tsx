import { screen, waitFor, within } from '@testing-library/react'
import sharp from 'sharp'
import { beforeEach, expect, test } from 'vitest'
import { drawPicture } from '#demo/draw-picture.ts'
import { fileNameOf } from '#gallery/ui/text/names.ts'
import { GalleryInWindow } from '#integration/gallery-in-window.ts'
import { drawClip } from '#testing/library/draw-clip.ts'

const startGallery = GalleryInWindow.reusingServer()
let gallery: GalleryInWindow
beforeEach(async () => {
  gallery = await startGallery()
})

const upload = (bytes: Uint8Array, fileName: string) =>
  gallery.api.client.uploads.upload({ bytes: new Blob([new Uint8Array(bytes)]), fileName })

/** Uploads a picture and a small copy of it, for each seed. */
async function uploadPairs(...seeds: readonly number[]): Promise<void> {
  for (const seed of seeds) {
    const { bytes } = await drawPicture({ seed, kind: 'comfyui', widthPx: 320, heightPx: 240 })
    await upload(bytes, `${seed}.png`)
    await upload(await sharp(bytes).resize(160).jpeg().toBuffer(), `${seed}-small.jpg`)
  }
}

const open = () => gallery.open({ path: '/?board=duplicates' })
const groups = () => screen.queryAllByRole('region', { name: /^Group \d/ })
const showsGroups = (count: number) => waitFor(() => expect(groups()).toHaveLength(count))
const imageOf = (fileName: string) =>
  screen.findByRole('button', { name: new RegExp(`^Keep ${fileName},`) })
const isKept = async (fileName: string) =>
  (await imageOf(fileName)).getAttribute('aria-pressed') === 'true'
const library = async () => (await gallery.api.imagesOn()).map(fileNameOf).toSorted()
const facts = async () =>
  Object.fromEntries(
    (await gallery.api.imagesOn()).map(({ file_name, starred, rating, tags }) => [
      file_name,
      [starred, rating, tags],
    ]),
  )
const undo = () => gallery.user.keyboard('{Control>}z{/Control}')
const redo = () => gallery.user.keyboard('{Control>}y{/Control}')

test('says that there are no duplicates', async () => {
  await upload((await drawPicture({ seed: 3, kind: 'comfyui' })).bytes, 'a.png')
  await open()
  await screen.findByText('No duplicates')
})

test('calls videos by their name', async () => {
  for (const hasSound of [true, false]) {
    const bytes = new Blob([await drawClip({ hasSound })])
    await gallery.api.client.videos.upload({ bytes, fileName: `${hasSound}.mp4` })
  }
  await open()
  const [group] = await screen.findAllByRole('region', { name: /^Group \d/ })
  if (group) within(group).getByRole('heading', { name: /^2 videos, / })
  await screen.findByText(/^1 group, 2 items, /)

  await gallery.press('Not duplicates')
  await gallery.toast('2 videos marked as not duplicates')
})

test('suggests the larger image, keeps it with the star of the other, and takes that back', async () => {
  await uploadPairs(1)
  const small = (await gallery.api.imagesOn()).find(({ file_name }) => file_name === '1-small.jpg')
  if (small) {
    await gallery.api.client.images.star([small.image_name])
    await gallery.api.client.images.rate([small.image_name], 4)
    await gallery.api.client.images.tag([small.image_name], { add: ['castle'] })
  }
  await open()
  await screen.findByText('Suggested: it has the most pixels.')
  expect(await isKept('1.png')).toBe(true)

  await gallery.press('Keep this one, delete the other')
  await showsGroups(0)
  await gallery.toast('Deleted 1 duplicate')
  await expect.poll(library).toEqual(['1.png'])
  expect(await gallery.api.imagesOn()).toMatchObject([
    { starred: true, rating: 4, tags: ['castle'] },
  ])

  await gallery.reload()
  await screen.findByText('No duplicates')
  await undo()
  await showsGroups(1)
  await expect.poll(library).toEqual(['1-small.jpg', '1.png'])
  await redo()
  await showsGroups(0)
  await expect.poll(library).toEqual(['1.png'])
  await undo()
  await expect.poll(library).toEqual(['1-small.jpg', '1.png'])
  await expect
    .poll(facts)
    .toEqual({ '1.png': [false, 0, []], '1-small.jpg': [true, 4, ['castle']] })
})

test('an Undo before the answer of the server restores the star, the rating and the tags too @long', async () => {
  await uploadPairs(1)
  const small = (await gallery.api.imagesOn()).find(({ file_name }) => file_name === '1-small.jpg')
  const names = [small?.image_name ?? '']
  await gallery.api.client.images.star(names)
  await gallery.api.client.images.rate(names, 4)
  await gallery.api.client.images.tag(names, { add: ['castle'] })
  await open()
  const isSent = Promise.withResolvers<void>()
  const restored = Promise.withResolvers<void>()
  gallery.onRequest = ({ path }) => {
    if (path.endsWith('/unresolve')) restored.resolve()
    return path.endsWith('/duplicates/resolve') && isSent.promise
  }
  await gallery.press('Keep this one, delete the other')
  await showsGroups(0)
  await undo()
  isSent.resolve()

  await restored.promise
  await expect
    .poll(facts)
    .toEqual({ '1.png': [false, 0, []], '1-small.jpg': [true, 4, ['castle']] })
})

test('counts the images that really went to the trash @long', async () => {
  const { bytes } = await drawPicture({ seed: 1, kind: 'comfyui', widthPx: 320, heightPx: 240 })
  await upload(bytes, '1.png')
  await upload(await sharp(bytes).resize(160).jpeg().toBuffer(), 'small.jpg')
  await upload(await sharp(bytes).resize(80).jpeg().toBuffer(), 'smaller.jpg')
  await open()
  await screen.findByText(/^1 group, 3 images/)
  const trash = async (fileName: string) => {
    const image = (await gallery.api.imagesOn()).find(({ file_name }) => file_name === fileName)
    await gallery.api.client.trash.trashImages([image?.image_name ?? ''])
  }
  await trash('small.jpg')
  await gallery.press('Keep this one, delete 2 others')
  await gallery.toast('Deleted 1 duplicate')
  await undo()
  await expect.poll(library).toEqual(['1.png', 'smaller.jpg'])

  await showsGroups(1)
  await trash('smaller.jpg')
  await gallery.press('Keep this one, delete the other')
  await gallery.toast('Nothing to delete')
})

test('does not call the groups of the next page none while the first ones are being deleted', async () => {
  await uploadPairs(1)
  const send = gallery.fetch
  gallery.fetch = async (url, init) => {
    const answer = await send(url, init)
    if (!url.toString().includes('/duplicates?')) return answer
    const page = await answer.json()
    // As if a page had room for only one group.
    return Response.json({ ...page, total: page.total + 1, image_count: page.image_count + 2 })
  }
  await open()
  await screen.findByText(/^2 groups, 4 images/)
  const isSent = Promise.withResolvers<void>()
  gallery.onRequest = ({ path }) => path.endsWith('/duplicates/resolve') && isSent.promise
  await gallery.press('Keep this one, delete the other')
  await screen.findByText('Saving your changes…')
  expect(screen.queryByText(/^\d groups?,/)).toBeNull()

  gallery.fetch = send
  isSent.resolve()
  await screen.findByText('No duplicates')
})

test('deletes each duplicate once if an answer is lost', async () => {
  await uploadPairs(1, 5)
  await open()
  await showsGroups(2)
  let requests = 0
  const send = gallery.fetch
  gallery.fetch = async (url, init) => {
    const answer = await send(url, init)
    if (!url.toString().endsWith('/duplicates/resolve')) return answer
    requests += 1
    if (requests === 1) throw new TypeError('The connection was reset.')
    return answer
  }
  for (const count of [1, 0]) {
    const [button] = await screen.findAllByRole('button', { name: /delete the other$/ })
    await gallery.user.click(button as HTMLElement)
    await showsGroups(count)
  }
  await waitFor(() => expect(screen.getAllByText('Deleted 1 duplicate')).toHaveLength(2))
  expect(requests).toBeGreaterThan(1)
  expect(await library()).toEqual(['1.png', '5.png'])
  await undo()
  await expect.poll(async () => (await library()).length).toBe(3)
  await undo()
  await expect.poll(async () => (await library()).length).toBe(4)
})

test('does not delete all duplicates while the images are compared again @long', async () => {
  await uploadPairs(1)
  await open()
  await showsGroups(1)
  const comparing = { items: [], offset: 0, limit: 1000, total: 0, image_count: 0, bytes: 0 }
  const progress = { done: 1, total: 2 }
  let lists = 0
  gallery.onRequest = ({ path }) => {
    if (path.includes('/duplicates?')) lists += 1
  }
  gallery.answer = ({ path }) =>
    path.includes('/duplicates?') && path.includes('limit=1000')
      ? Response.json({ ...comparing, progress })
      : undefined
  await gallery.press('Keep the suggested ones…')
  await gallery.press('Delete 1 duplicate')
  await gallery.toast('Tessera is comparing the images again. Try again when it has finished.')
  // Without questions, the server would give up the comparison.
  await waitFor(() => expect(lists).toBeGreaterThan(1))
  expect(await library()).toEqual(['1-small.jpg', '1.png'])

  gallery.answer = () => undefined
  await gallery.press('Retry')
  await gallery.toast('Deleted 1 duplicate')
})

test('keeps what the user chooses, by keys', async () => {
  await uploadPairs(1)
  await open()
  const image = await imageOf('1.png')
  image.focus()
  await gallery.user.keyboard('{ArrowRight}')
  await waitFor(async () => expect(document.activeElement).toBe(await imageOf('1-small.jpg')))
  await gallery.user.keyboard('k')
  await screen.findByText('Kept by your choice.')
  expect([await isKept('1.png'), await isKept('1-small.jpg')]).toEqual([false, true])
  await gallery.user.keyboard('{Delete}')
  await expect.poll(library).toEqual(['1-small.jpg'])
})

test('keeps the focus in the list after the last group is deleted by key @long', async () => {
  await uploadPairs(1)
  await open()
  const image = await imageOf('1.png')
  image.focus()
  await gallery.user.keyboard('{Delete}')
  await screen.findByText('No duplicates')
  const list = screen.getByRole('region', { name: 'Groups' })
  await waitFor(() => expect(document.activeElement).toBe(list))
})

test.each([
  ['Keep this one, delete the other', 'The duplicates of 1 group could not be deleted'],
  ['Not duplicates', '1 group could not be marked as not duplicates'],
])('says after a reload that it was refused: %s @long', async (button, title) => {
  await uploadPairs(1)
  await open()
  await showsGroups(1)
  const isChange = (path: string) => /duplicates\/(resolve|dismiss)$/.test(path)
  const never = new Promise(() => {})
  gallery.onRequest = ({ path }) => isChange(path) && never
  await gallery.press(button)
  await showsGroups(0)

  gallery.onRequest = () => undefined
  gallery.answer = ({ path }) => (isChange(path) ? new Response('{}', { status: 500 }) : undefined)
  await gallery.reload()
  await gallery.toast(title)
  await showsGroups(1)

  gallery.answer = () => undefined
  await gallery.press('Retry')
  await showsGroups(0)
})

test('moves between groups by arrows, and opens the comparison and the viewer @long', async () => {
  await uploadPairs(1, 5)
  await open()
  await showsGroups(2)
  const [first, second] = groups().map(
    (group) => within(group).getAllByRole('button', { pressed: true })[0],
  )
  first?.focus()
  await gallery.user.keyboard('{ArrowDown}')
  await waitFor(() => expect(document.activeElement).toBe(second))
  await gallery.user.keyboard('c')
  const dialog = await screen.findByRole('dialog', { name: 'Comparison' })
  expect(within(dialog).getAllByRole('listitem')).toHaveLength(2)
  await gallery.user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  second?.focus()
  await gallery.user.keyboard('{Enter}')
  await screen.findByRole('dialog', { name: /png|jpg|viewer/i })
})

test('remembers that images are not duplicates, and forgets it by Undo @long', async () => {
  await uploadPairs(1)
  await open()
  await gallery.press('Not duplicates')
  await screen.findByText('No duplicates')
  await gallery.toast('2 images marked as not duplicates')
  await gallery.reload()
  await screen.findByText('No duplicates')
  await undo()
  await showsGroups(1)
})

test('keeps the suggested ones of all groups after a question, as one step', async () => {
  await uploadPairs(1, 5)
  await open()
  await screen.findByText(/^2 groups, 4 images, .* to gain$/)
  await gallery.press('Keep the suggested ones…')
  const dialog = within(await screen.findByRole('dialog', { name: 'Delete 2 duplicates?' }))
  await gallery.user.click(dialog.getByRole('button', { name: 'Delete 2 duplicates' }))
  await expect.poll(library).toEqual(['1.png', '5.png'])
  await gallery.toast('Deleted 2 duplicates')
  await undo()
  await expect.poll(library).toEqual(['1-small.jpg', '1.png', '5-small.jpg', '5.png'])
  await showsGroups(2)
})

test('compares the images that the search finds, by how much alike they are', async () => {
  await uploadPairs(1)
  await open()
  await showsGroups(1)
  await gallery.user.click(screen.getByRole('radio', { name: 'Same files' }))
  await screen.findByText('No duplicates')
  expect(screen.queryByRole('slider', { name: 'Allowed differences' })).toBeNull()
  await gallery.user.click(screen.getByRole('radio', { name: 'Nearly the same' }))
  await showsGroups(1)
  screen.getByRole('slider', { name: 'Allowed differences' })
  await gallery.user.click(screen.getByRole('radio', { name: 'Same picture' }))

  await gallery.open({ path: '/?board=duplicates&q=is:starred' })
  await screen.findByText('No duplicates')
  await gallery.press('Look at all images')
  await showsGroups(1)
})

test('shows why it failed, and tries again', async () => {
  await uploadPairs(1)
  let isBroken = true
  gallery.answer = ({ path }) => {
    if (isBroken && path.startsWith('/api/v1/duplicates'))
      return new Response('{}', { status: 500 })
    return undefined
  }
  await open()
  await screen.findByText('The duplicates could not be loaded')
  isBroken = false
  await gallery.press('Retry')
  await showsGroups(1)
})
