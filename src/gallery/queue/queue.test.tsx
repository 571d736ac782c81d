import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import type { ImageRecord } from '#contract/image.ts'
import { GalleryInWindow } from '#integration/gallery-in-window.ts'
import { graphOf } from '#testing/graph-of.ts'

/** Saves a copy of an image on a board. */
const copyOf = ({ image_name }: ImageRecord, boardId = 'none') =>
  graphOf({
    save: {
      type: 'save_image',
      use_cache: false,
      image: { image_name },
      board: { board_id: boardId },
    },
  })

/** Runs until it is canceled, because its pattern backtracks. */
const endless = graphOf({
  hang: {
    type: 'string_replace',
    string: `${'a'.repeat(60)}!`,
    search_string: '^(a+)+$',
    use_regex: true,
    use_cache: false,
  },
})

/** Fails when it runs, because it has no image. */
const failing = graphOf({ save: { type: 'save_image' } })

const startGallery = GalleryInWindow.reusingServer()
let gallery: GalleryInWindow
let cat: ImageRecord
let boardId: string
beforeEach(async () => {
  gallery = await startGallery()
  gallery.watchesQueue = true
  boardId = (await gallery.api.createBoard('Portraits')).boardId
  cat = await gallery.api.uploadImage('cat.png')
  await gallery.open()
  await gallery.image('cat.png')
})

const queue = () => gallery.api.client.queue

const button = () => screen.findByRole('button', { name: /^Queue/ })

const openPanel = async () => {
  await gallery.user.click(await button())
  return within(await screen.findByRole('complementary', { name: 'Queue' }))
}

/** The items of a part of the panel: Running, Waiting or Finished. Empty if the panel has no such part. */
const itemsOf = (name: string) => {
  const part = screen.queryByRole('region', { name })
  return part === null ? [] : within(part).queryAllByRole('listitem')
}

const hasItems = (name: string, count: number) =>
  waitFor(() => expect(itemsOf(name)).toHaveLength(count))

test('an empty queue says what it is for', async () => {
  const panel = await openPanel()

  await panel.findByRole('heading', { name: 'The queue is empty' })
  for (const name of ['Cancel all', 'Clear finished']) {
    expect(panel.getByRole<HTMLButtonElement>('button', { name }).disabled).toBe(true)
  }
})

test('the panel shows running and waiting items in order, with their nodes and boards', async () => {
  await queue().enqueueOne({ graph: endless })
  await queue().enqueue({ graph: copyOf(cat, boardId), runs: 2 })
  await queue().enqueueOne({ graph: failing }, { prepend: true })

  await openPanel()

  await hasItems('Running', 1)
  await hasItems('Waiting', 2)
  await gallery.press('Items of Save image')
  await hasItems('Waiting', 4)
  const texts = itemsOf('Waiting').map((item) => item.textContent)
  expect(texts).toEqual([
    expect.stringMatching(/Number 2.*Save image.*1 node · .* · Assets/),
    expect.stringMatching(/Save image.*2\swaiting.*1 node · .* · Portraits/),
    expect.stringMatching(/Number 3.*Save image.*1 node · .* · Portraits/),
    expect.stringMatching(/Number 4.*Save image.*1 node · .* · Portraits/),
  ])
  await screen.findByRole('button', { name: /^Queue 4 to do/ })
})

test('of a long queue the panel shows the next items and counts the others @long', async () => {
  await queue().pause()
  await queue().enqueue({ graph: copyOf(cat), runs: 10_000 })

  await openPanel()

  await screen.findByRole('button', { name: /^Queue 10,000 to do/ })
  await screen.findByText('10,000 waiting')
  await hasItems('Waiting', 1)
  await gallery.press('Items of Save image')
  await screen.findByText('and 9,900 more items')
  await hasItems('Waiting', 102)
})

test('one item can be canceled and retried', async () => {
  const itemId = await queue().enqueueOne({ graph: endless })
  const panel = await openPanel()

  await gallery.press(/^Cancel String replace/)
  await hasItems('Running', 0)
  await panel.findByText('Canceled')
  expect((await queue().item(itemId))?.status).toBe('canceled')

  await gallery.press(/^Retry String replace/)
  await hasItems('Running', 1)
})

test('a batch shows its results, which open its board', async () => {
  await queue().enqueue({ graph: copyOf(cat, boardId), runs: 7 })
  const panel = await openPanel()
  await panel.findByText('7 of 7 done')

  const strip = itemsOf('Finished')[0]?.querySelectorAll('img') ?? []
  expect(strip).toHaveLength(5)
  await gallery.user.click(panel.getByRole('link', { name: 'Save image' }))

  await screen.findByRole('heading', { name: /^Portraits/, level: 1 })
  await waitFor(() => expect(gallery.tiles()).toHaveLength(7))
})

test('a batch of one result opens it in the viewer @long', async () => {
  await queue().enqueueOne({ graph: copyOf(cat, boardId) })
  const panel = await openPanel()

  await gallery.user.click(await panel.findByRole('link', { name: 'Save image' }))

  await screen.findByRole('dialog', { name: 'Image viewer' })
  expect(new URLSearchParams(window.location.search).get('board')).toBe(boardId)
})

test('a batch can be canceled and retried', async () => {
  await queue().enqueue({ graph: endless, runs: 3 })
  const panel = await openPanel()
  await panel.findByText('0 of 3 done · 2 waiting')

  await gallery.press('Cancel String replace')
  await panel.findByText('0 of 3 done · 3 canceled')
  await gallery.press('Retry String replace')

  await panel.findByText('0 of 3 done · 2 waiting')
  expect(await queue().itemIds()).toHaveLength(6)
})

test('of a long batch with failed items, Retry enqueues all of them @long', async () => {
  await queue().enqueue({ graph: failing, runs: 40 })
  const panel = await openPanel()
  await panel.findByText('0 of 40 done · 40 failed')
  await queue().pause()

  await gallery.press('Retry Save image')

  await panel.findByText(/40 waiting/)
  expect((await queue().status()).queue.pending).toBe(40)
})

test('the items of a batch can be canceled one by one @long', async () => {
  await queue().pause()
  await queue().enqueue({ graph: copyOf(cat), runs: 3 })
  const panel = await openPanel()
  await gallery.press('Items of Save image')
  const items = within(await panel.findByRole('list', { name: 'Items of Save image' }))
  expect(items.getAllByRole('listitem')).toHaveLength(3)

  const [first] = items.getAllByRole('button', { name: /^Cancel/ })
  if (first) await gallery.user.click(first)

  await panel.findByText('0 of 3 done · 1 canceled · 2 waiting')
})

test('canceling more than a few items asks first', async () => {
  await queue().enqueueOne({ graph: endless })
  await queue().enqueue({ graph: copyOf(cat), runs: 9 })
  await openPanel()
  await hasItems('Waiting', 1)
  await screen.findByRole('button', { name: /^Queue 10 to do/ })

  await gallery.press('Cancel all')
  await screen.findByRole('dialog', { name: 'Cancel 10 items?' })
  await gallery.press('Keep them')
  await hasItems('Waiting', 1)

  await gallery.press('Cancel all')
  await gallery.press('Cancel 10 items')
  await hasItems('Waiting', 0)
  await hasItems('Running', 0)
  await screen.findByRole('button', { name: 'Queue' })
})

test('a paused queue says so and starts nothing until it is resumed', async () => {
  const panel = await openPanel()
  await gallery.press('Pause')
  await panel.findByText(/Paused\. The current item/)

  await queue().enqueueOne({ graph: copyOf(cat) })
  await hasItems('Waiting', 1)
  await gallery.press('Resume')

  await hasItems('Finished', 1)
  await panel.findByText('Done')
  await waitFor(() => expect(gallery.tiles()).toHaveLength(2))
})

test('a failure is shown with its reason, and Retry enqueues the item again', async () => {
  await queue().enqueueOne({ graph: failing })

  const toast = await gallery.toast(/A queue item failed/)
  const card = within(toast.closest('li') as HTMLElement)
  await card.findByText(/missing value/)
  const panel = await openPanel()
  await waitFor(() => expect(itemsOf('Finished')[0]?.textContent).toMatch(/missing value/))
  await queue().pause()
  await gallery.user.click(card.getByRole('button', { name: 'Retry' }))

  // The retry replaces the failed item, and fails too.
  await hasItems('Waiting', 1)
  await hasItems('Finished', 0)
  await queue().resume()
  await hasItems('Finished', 1)
  await panel.findByLabelText('Failed')
  expect(await queue().itemIds()).toHaveLength(2)
})

test('finished items can be cleared, and their images stay', async () => {
  await queue().enqueue({ graph: copyOf(cat), runs: 3 })
  await waitFor(() => expect(gallery.tiles()).toHaveLength(4))
  const panel = await openPanel()
  await hasItems('Finished', 1)

  await gallery.press('Clear finished')

  await panel.findByRole('heading', { name: 'The queue is empty' })
  expect(gallery.tiles()).toHaveLength(4)
  expect(await queue().itemIds()).toEqual([])
})

const LIVE = '[aria-live]:not([aria-live=off]), [role=status], [role=alert]'

/** Collects what screen readers announce from now on. */
const listen = (): string[] => {
  const announced: string[] = []
  const observer = new MutationObserver((changes) => {
    const regions = changes.flatMap(({ target }) => {
      const element = target instanceof Element ? target : target.parentElement
      return element?.closest(LIVE) ?? []
    })
    for (const region of new Set(regions)) announced.push(region.textContent ?? '')
  })
  observer.observe(document.body, { childList: true, characterData: true, subtree: true })
  return announced
}

test('new images are announced once, with the panel open @long', async () => {
  await openPanel()
  const announced = listen()
  await queue().pause()
  await queue().enqueue({ graph: copyOf(cat), runs: 2 })
  await hasItems('Waiting', 1)

  await queue().resume()
  await waitFor(() => expect(gallery.tiles()).toHaveLength(3))
  await screen.findByText('Finished generating on Assets')

  expect(announced.filter((text) => /generating|done/i.test(text))).toEqual([
    'Generating on Assets',
    'Finished generating on Assets',
  ])
})

test('a failure is announced once, with the panel open @long', async () => {
  await openPanel()
  const announced = listen()
  await queue().pause()
  await queue().enqueueOne({ graph: failing })
  // The page may learn of an item only when it has failed, and then has nothing to announce as stopped.
  await hasItems('Waiting', 1)

  await queue().resume()
  await gallery.toast(/A queue item failed/)
  await screen.findByText('Stopped generating on Assets')

  const ofFailure = announced.filter((text) => /fail/i.test(text))
  expect(ofFailure).toEqual([expect.stringContaining('A queue item failed.')])
  expect(document.querySelectorAll(`:is(${LIVE}) :is(${LIVE})`).length).toBe(0)
})
