import { beforeEach, expect, test } from 'vitest'
import type { ImageRecord } from '#contract/image.ts'
import type { ImageView } from '#gallery/api/images/image-windows.ts'
import { geometryOf } from '#gallery/images/grid/grid-geometry.ts'
import { plainLayoutOf } from '#gallery/images/grid/grid-layout.ts'
import type { GridNow } from '#gallery/images/grid/grid-now.ts'
import { GridScroller } from '#gallery/images/grid/grid-scroller.ts'
import { testGalleryApi } from '#integration/test-gallery-api.ts'
import { currentTargets, targetRecords, unselectGone } from './selected-images.ts'
import { countSelected, isNothing } from './selection.ts'
import {
  currentSelection,
  moveCursor,
  resetSelection,
  selectAll,
  selectImage,
  selectRanges,
  shiftSelection,
  toggleImage,
} from './selection-store.ts'

const view: ImageView = { boardId: 'none', query: '', orderDir: 'DESC', starredFirst: false }
const names = ['f.png', 'e.png', 'd.png', 'c.png', 'b.png', 'a.png']

const item = (imageName: string) => ({ imageName, position: names.indexOf(imageName) })

/** Returns a visible grid of `total` images that has loaded some of them. */
function gridOf(loaded: readonly string[], total = loaded.length, hasVisibleFocus = true) {
  const items = loaded.map((image_name) => ({ image_name }) as ImageRecord)
  const api = testGalleryApi()
  api.queryClient.setQueryData(api.imageQueries.window(view, 0).queryKey, { items, total })
  const scroller = new GridScroller()
  const element = Object.assign(new EventTarget(), {
    scrollTop: 0,
    matches: () => hasVisibleFocus,
  })
  scroller.attach(element as unknown as HTMLElement)
  scroller.resize(2000, 900)
  const now: GridNow = {
    view,
    noun: 'image',
    scroller,
    layout: plainLayoutOf(geometryOf(1000, 180), total),
    total,
    windows: new Map([[0, { items, total }]]),
  }
  return { api, now }
}

beforeEach(resetSelection)

test('uses the focused image as target if nothing is selected', () => {
  const { api, now } = gridOf(names)
  expect(currentTargets(api, now)).toBeNull()

  moveCursor(item('d.png'))

  expect(currentTargets(api, now)?.count).toBe(1)
  expect(targetRecords(now).map(({ image_name }) => image_name)).toEqual(['d.png'])
})

test('returns the names of all images but the unselected one', async () => {
  const { api, now } = gridOf(names.slice(0, 2), names.length)
  api.queryClient.setQueryData(api.imageQueries.names(view).queryKey, names)
  selectAll()
  toggleImage(item('e.png'))

  const targets = currentTargets(api, now)

  expect(targets?.count).toBe(5)
  expect(await targets?.names()).toEqual(['f.png', 'd.png', 'c.png', 'b.png', 'a.png'])
})

test('replaces a selection by rule with names when its images may leave the view', async () => {
  const { api, now } = gridOf(names)
  api.queryClient.setQueryData(api.imageQueries.names(view).queryKey, names)
  selectAll()

  await currentTargets(api, now)?.namesForRemoval()
  api.queryClient.setQueryData(api.imageQueries.names(view).queryKey, ['b.png'])
  unselectGone(api.queryClient, now, { ...now, total: 1 })

  expect([...currentSelection().added.keys()]).toEqual(['b.png'])
  expect(countSelected(currentSelection(), 1)).toBe(1)
})

test('reads the names of a large view no further than the last selected image', () => {
  const { api, now } = gridOf(names)
  selectImage(item('e.png'))
  const read: number[] = []
  const recording = new Proxy(names, {
    get: (all, key) => {
      if (typeof key === 'string' && /^\d$/.test(key)) read.push(Number(key))
      return Reflect.get(all, key)
    },
  })
  const { queryKey } = api.imageQueries.names(view)
  api.queryClient.setQueryDefaults(queryKey, { structuralSharing: false })
  api.queryClient.setQueryData(queryKey, recording)

  unselectGone(api.queryClient, now, { ...now, total: 5 })

  expect([...currentSelection().added.keys()]).toEqual(['e.png'])
  expect(Math.max(...read)).toBeLessThan(names.length - 1)
})

test('follows images inserted above while a board is chosen, and can still be cleared', () => {
  const { api, now } = gridOf([])
  selectAll()
  const everything = currentTargets(api, now)
  shiftSelection(2)

  everything?.moveTo('castles')

  expect(isNothing(currentSelection())).toBe(true)
  selectRanges([{ from: 1, to: 2 }], () => undefined, null)
  const some = currentTargets(api, { ...now, total: 10 })
  shiftSelection(2)
  expect(some?.images).toMatchObject({ positions: [3, 4] })
})

test('keeps its targets when the user selects something else', () => {
  const { api, now } = gridOf([])
  selectRanges([{ from: 1, to: 2 }], () => undefined, null)
  const some = currentTargets(api, { ...now, total: 10 })

  selectImage(item('f.png'))

  expect(some?.images).toMatchObject({ positions: [1, 2] })
})

test('ignores a focused image without a visible focus ring', () => {
  const { api, now } = gridOf(names, names.length, false)

  moveCursor(item('d.png'))

  expect(currentTargets(api, now)).toBeNull()
  expect(targetRecords(now)).toEqual([])
})
